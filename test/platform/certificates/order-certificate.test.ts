import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventData } from '../../../src/stores/events/types.ts'
import { logOf } from '../../support/event-log.ts'
import { hasPebble } from '../../support/has-pebble.ts'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { type CertifiedNode, servedDomain, startCertifiedNode } from './node.ts'
import { shake, visit, visitOverHttp2, visitPlainly } from './tls-client.ts'

describe.skipIf(!hasPebble)('certificates from an authority', () => {
  let certified: CertifiedNode
  let team: TestTeam
  let project: string

  beforeAll(async () => {
    certified = await startCertifiedNode()
    team = await newTeam(certified.node)
    await deploy(team, { target: 'production' })
    project = (await team.owner('GET', '/v1/projects/web')).body.id
  })
  afterAll(() => certified.close())

  const record = async (domain: string) => (await team.owner('GET', `/v1/domains/${domain}`)).body
  const issuedFor = async (domain: string) => {
    const events = await logOf(certified.node, team)
    return events.flatMap(({ type, data }) => {
      const { success, data: issued } = eventData['domain.certificate_issued'].safeParse(data)
      const isOf = success && type === 'domain.certificate_issued' && issued.domain.domain === domain
      return isOf ? [issued.certificate] : []
    })
  }
  const plain = (domain: string, path = '/') => visitPlainly(certified, domain, { path })

  it('are issued for a domain that is verified and leads here, and serve HTTP/1.1 and HTTP/2', async () => {
    const domain = await servedDomain(certified, team, project)
    // The visitor waits for the first certificate.
    expect(await visit(certified, domain)).toMatchObject({ status: 200, body: 'hello' })
    expect(await visitOverHttp2(certified, domain)).toMatchObject({ status: 200, body: 'hello' })
    const { tls } = await record(domain)
    expect(tls).toEqual({ state: 'active', not_after_ms: expect.any(Number), error: null, own: false })
    expect(tls.not_after_ms).toBeGreaterThan(Date.now())
    expect(await issuedFor(domain)).toEqual([{ not_after_ms: tls.not_after_ms, renewal: false }])
  })

  it('have the address of a domain begin with https, and the port of HTTPS', async () => {
    const [domain, away] = [await servedDomain(certified, team, project), `${unique('away')}.example`]
    await servedDomain(certified, team, project, away)
    certified.dns.set(away, 'A', [])
    await visit(certified, domain)
    const { aliases } = await deploy(team, { target: 'production' })
    expect(aliases).toContain(`https://${domain}:${certified.tlsPort}`)
    expect(aliases).toContain(`http://${away}:${certified.httpPort}`)
    const { production_deployment: live } = (await team.owner('GET', '/v1/projects/web')).body
    expect((await team.owner('GET', `/v1/deployments/${live}`)).body.aliases).toEqual(aliases)
  })

  it('lead visitors to HTTPS, except authorities', { tags: 'long' }, async () => {
    const domain = await servedDomain(certified, team, project)
    expect(await plain(domain)).toMatchObject({ status: 200 })
    await visit(certified, domain)
    expect(await plain(domain, '/a%20b?c=d')).toMatchObject({
      status: 308,
      headers: { location: `https://${domain}:${certified.tlsPort}/a%20b?c=d` },
    })
    expect(await plain(domain, '/.well-known/acme-challenge/unknown')).toMatchObject({ status: 404 })
  })

  it('are refused in the handshake to names that nobody owns, and to clients that name none', async () => {
    await expect(shake(certified, `${unique('nobody')}.example`)).rejects.toThrow()
    await expect(shake(certified, '')).rejects.toThrow()
  })

  it('are no longer used once the domain is deleted', async () => {
    const domain = await servedDomain(certified, team, project)
    await visit(certified, domain)
    await team.owner('DELETE', `/v1/domains/${domain}`)
    await expect(shake(certified, domain)).rejects.toThrow()
  })

  it('are not ordered twice for one name', { tags: 'long' }, async () => {
    const domain = await servedDomain(certified, team, project)
    await Promise.all(Array.from({ length: 20 }, () => visit(certified, domain)))
    const orders = certified.pebble.output().match(new RegExp(`validate w/ HTTP: http://${domain}`, 'g'))
    // Three validators look once each.
    expect(orders).toHaveLength(3)
  })

  it('of which none can be had say why, in the record, as an event and in the log', async () => {
    const domain = `${unique('away')}.example`
    await servedDomain(certified, team, project, domain)
    certified.dns.set(domain, 'A', [])
    await expect
      .poll(async () => (await record(domain)).tls)
      .toMatchObject({
        state: 'failed',
        not_after_ms: null,
        error: { reason: 'validation_failed', message: expect.stringContaining(domain) },
      })
    const { body } = await team.owner('GET', '/v1/logs?kind=audit&limit=100')
    expect(JSON.stringify(body)).toContain(`no certificate for ${domain}`)
    expect(
      certified.node.logged.some((line) => line.includes('validation_failed') && line.includes(domain)),
    ).toBe(true)
  })
})

describe.skipIf(!hasPebble)('a challenge over TLS', () => {
  it('is presented on the port of HTTPS, where HTTP does not lead here', { tags: 'long' }, async () => {
    const certified = await startCertifiedNode({}, { httpPort: '1' })
    try {
      const team = await newTeam(certified.node)
      await deploy(team, { target: 'production' })
      const { id } = (await team.owner('GET', '/v1/projects/web')).body
      const domain = await servedDomain(certified, team, id)
      const tls = async () => (await team.owner('GET', `/v1/domains/${domain}`)).body.tls
      await expect.poll(tls).toMatchObject({ state: 'failed' })
      certified.node.clock.aheadMs += 5 * 60_000
      await expect.poll(tls).toMatchObject({ state: 'active', error: null })
      expect(await visit(certified, domain)).toMatchObject({ status: 200 })
      // The second order had nothing looked for over HTTP.
      expect(certified.pebble.output().match(/Attempting to validate w\/ HTTP/g)).toHaveLength(3)
    } finally {
      await certified.close()
    }
  })
})
