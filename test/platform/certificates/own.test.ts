import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { newCertificate } from '../../support/certificate.ts'
import { claim } from '../../support/claims.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { shake, visit, visitPlainly } from './tls-client.ts'

describe('certificates of one’s own', () => {
  let node: TestNode
  let team: TestTeam
  let project: string
  let at: { tlsPort: string; httpPort: string; root: string }
  let files: { cert: string; key: string }
  const make = (name: string) => newCertificate(name)

  beforeAll(async () => {
    const wildcard = await make('*.localhost')
    const place = join(inject('directory'), unique('own'))
    files = { cert: `${place}.crt`, key: `${place}.key` }
    await writeFile(files.cert, wildcard.cert)
    await writeFile(files.key, wildcard.key)
    at = { tlsPort: await freePort(), httpPort: await freePort(), root: wildcard.cert }
    node = await startTestNode({
      SVC_EDGE_PORT: at.httpPort,
      SVC_EDGE_TLS_PORT: at.tlsPort,
      SVC_EDGE_TLS_CERT: files.cert,
      SVC_EDGE_TLS_KEY: files.key,
      SVC_TRUSTED_PROXIES: '127.0.0.2',
    })
    team = await newTeam(node)
    await deploy(team, { target: 'production' })
    project = (await team.owner('GET', '/v1/projects/web')).body.id
  })
  afterAll(() => node.stop())

  const anyone = { rejectUnauthorized: false }
  const certificateFor = async (name: string) => {
    const socket = await shake(at, name, anyone)
    const { subjectaltname } = socket.getPeerCertificate()
    socket.destroy()
    return subjectaltname
  }

  it('the operator’s serves every site, and is read again when it changes', async () => {
    const { hostname } = new URL((await team.owner('GET', '/v1/projects/web')).body.production_url)
    expect(await certificateFor(hostname)).toBe('DNS:*.localhost')
    const open = await shake(at, hostname, anyone)
    const next = await newCertificate('*.localhost')
    await writeFile(files.key, next.key)
    await writeFile(files.cert, next.cert)
    const serial = async () => {
      const socket = await shake(at, hostname, anyone)
      const served = socket.getPeerCertificate().raw.toString('base64')
      socket.destroy()
      return next.cert.replaceAll('\n', '').includes(served)
    }
    await expect.poll(serial).toBe(true)
    expect(open.destroyed).toBe(false)
    open.destroy()
    expect(await readFile(files.cert, 'utf8')).toBe(next.cert)
  })

  it('leads visitors to HTTPS, but not those that a trusted proxy says came over it', async () => {
    const { hostname } = new URL((await team.owner('GET', '/v1/projects/web')).body.production_url)
    expect(await visitPlainly(at, hostname)).toMatchObject({
      status: 308,
      headers: { location: `https://${hostname}:${at.tlsPort}/` },
    })
    const forwarded = { 'x-forwarded-proto': 'https' }
    expect(await visitPlainly(at, hostname, { fields: forwarded })).toMatchObject({ status: 308 })
    const from = { fields: forwarded, localAddress: '127.0.0.2' }
    expect(await visitPlainly(at, hostname, from)).toMatchObject({ status: 200, body: 'hello' })
  })

  it.runIf(process.env.TEST_ON)('a session of TLS is resumed by another node', async () => {
    const { hostname } = new URL((await team.owner('GET', '/v1/projects/web')).body.production_url)
    const tlsPort = await freePort()
    const other = await startTestNode({
      SVC_ROLES: 'edge',
      SVC_EDGE_TLS_PORT: tlsPort,
      SVC_EDGE_TLS_CERT: files.cert,
      SVC_EDGE_TLS_KEY: files.key,
    })
    onTestFinished(() => other.stop())
    const version = { ...anyone, maxVersion: 'TLSv1.2' as const }
    const first = await shake(at, hostname, version)
    const session = first.getSession()
    first.destroy()
    const second = await shake({ ...at, tlsPort }, hostname, { ...version, ...(session && { session }) })
    expect(second.isSessionReused()).toBe(true)
    second.destroy()
  })

  it('a team’s serves its domain, until it is removed', async () => {
    const domain = `${unique('www')}.example`
    await claim(node, team, domain, { proven: true, project })
    const { cert, key } = await make(domain)
    const put = await team.owner('PUT', `/v1/domains/${domain}`, { certificate: { chain: cert, key } })
    expect(put).toMatchObject({ status: 200, body: { tls: { state: 'active', own: true, error: null } } })
    expect(JSON.stringify(put.body)).not.toContain('PRIVATE')
    expect(await certificateFor(domain)).toBe(`DNS:${domain}`)
    const page = await visit({ ...at, root: cert }, domain)
    expect(page).toMatchObject({ status: 200, body: 'hello' })
    expect(page.headers['strict-transport-security']).toBeUndefined()
    await team.owner('PUT', '/v1/projects/web', { hsts: true })
    const hsts = async () => (await visit({ ...at, root: cert }, domain)).headers['strict-transport-security']
    await expect.poll(hsts).toBe('max-age=31536000')
    expect((await team.owner('PUT', `/v1/domains/${domain}`, { certificate: null })).body.tls.state).toBe(
      'none',
    )
    await expect(shake(at, domain, anyone)).rejects.toThrow()
  })

  it.each([
    ['of another name', 'is not for', async () => make('other.example')],
    [
      'with another key',
      'belongs to another key',
      async (domain: string) => ({ ...(await make(domain)), key: (await make(domain)).key }),
    ],
    ['that is none', 'has no PEM block', async () => ({ cert: 'hello', key: 'hello' })],
    ['that has expired', 'has expired', (domain: string) => newCertificate(domain, -3 * 86_400_000)],
  ])('one %s is refused, and says why', async (_, message, given) => {
    const domain = `${unique('www')}.example`
    await claim(node, team, domain, { proven: true, project })
    const { cert, key } = await given(domain)
    const { status, body } = await team.owner('PUT', `/v1/domains/${domain}`, {
      certificate: { chain: cert, key },
    })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(message)
  })

  it('none is taken for a domain that is not verified', async () => {
    const domain = `${unique('www')}.example`
    await claim(node, team, domain, { project })
    const { cert, key } = await make(domain)
    expect(
      await team.owner('PUT', `/v1/domains/${domain}`, { certificate: { chain: cert, key } }),
    ).toMatchObject({
      status: 400,
      body: { reason: 'invalid_input' },
    })
  })
})
