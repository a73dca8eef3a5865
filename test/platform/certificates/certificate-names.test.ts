/**
 * Certificates of the platform's own names, and an authority with faults.
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acmeAccounts, certificates } from '../../../src/stores/db/schema/certificates.ts'
import { dig, hasDig } from '../../roles/nameserver/client.ts'
import { hasPebble } from '../../support/has-pebble.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { type CertifiedNode, servedDomain, startCertifiedNode } from './node.ts'
import { shake, visit, visitPlainly } from './tls-client.ts'

describe.skipIf(!hasPebble)('the certificate of the sites’ domain', () => {
  let certified: CertifiedNode
  let dnsPort: string
  const sites = 'sites.example'

  beforeAll(async () => {
    dnsPort = await freePort()
    const dnsServer = `127.0.0.1:${dnsPort}`
    certified = await startCertifiedNode(
      {
        SVC_EDGE_URL: `https://${sites}`,
        SVC_DNS_PORT: dnsPort,
        SVC_RESOLVERS: dnsServer,
        SVC_NAMESERVERS: 'ns1.example.net',
        SVC_EDGE_ADDRESSES: '127.0.0.1',
      },
      { dnsServer, hasRenewalInfo: true, caaIdentities: ['letsencrypt.org', 'other.example'] },
    )
  })
  afterAll(() => certified.close())

  it('is proven by the platform’s own name server, and serves every site and the domain itself', async () => {
    const team = await newTeam(certified.node)
    const { url } = await deploy(team)
    const { hostname, protocol } = new URL(url)
    expect(protocol).toBe('https:')
    await expect
      .poll(() => visit(certified, hostname).catch(String))
      .toMatchObject({ status: 200, body: 'hello' })
    // To the port of the sites' address, which may be another than the node's.
    expect(await visitPlainly(certified, hostname)).toMatchObject({
      status: 308,
      headers: { location: `https://${hostname}/` },
    })
    const socket = await shake(certified, sites)
    expect(socket.getPeerCertificate().subjectaltname).toBe(`DNS:${sites}, DNS:*.${sites}`)
    socket.destroy()
    // A name below a name is covered by nothing.
    await expect(shake(certified, `a.b.${sites}`)).rejects.toThrow()
  })

  it.runIf(hasDig)(
    'is for the platform’s account alone, by CAA records that follow the account',
    async () => {
      const { store } = certified.node.installation
      const accountUrl = async () => (await store.db.select().from(acmeAccounts))[0]?.url
      const caaOf = async (name: string) => (await dig(Number(dnsPort), '+short', name, 'CAA')).trim()
      const first = await accountUrl()
      expect(first).toMatch(/^https:/)
      expect(await caaOf(sites)).toBe(`0 issue "letsencrypt.org; accounturi=${first}"`)
      expect(await dig(Number(dnsPort), `www.${sites}`, 'CAA')).toMatch(/status: NOERROR[\s\S]*ANSWER: 0/)

      // An authority that has forgotten the account gets another one.
      await certified.pebble.restart()
      if (certified.renewalInfo) certified.renewalInfo.window = { startMs: 0, endMs: 1 }
      await store.db.update(certificates).set({ dueMs: 0 })
      await expect
        .poll(accountUrl, { timeout: 25_000 })
        .toSatisfy((url) => typeof url === 'string' && url !== first)
      expect(await caaOf(sites)).toBe(`0 issue "letsencrypt.org; accounturi=${await accountUrl()}"`)
    },
  )
})

// Two at a time: each has a node and an authority of its own, with connections to PostgreSQL.
describe.skipIf(!hasPebble).concurrent('without a delegation', () => {
  it('nothing is validated, and the log says what to set up', async () => {
    const certified = await startCertifiedNode({
      SVC_EDGE_URL: 'https://sites.example',
      SVC_NAMESERVERS: 'ns1.example.net',
    })
    try {
      const isLogged = () => certified.node.logged.some((line) => line.includes('dns_not_delegated'))
      await expect.poll(isLogged, { timeout: 25_000 }).toBe(true)
      expect(certified.pebble.output()).not.toContain('Attempting to validate')
    } finally {
      await certified.close()
    }
  })
})

describe.skipIf(!hasPebble).concurrent('a domain that leads elsewhere, whose zone is not served here', () => {
  it('keeps what the authority found when DNS is tried, too', async () => {
    const certified = await startCertifiedNode({ SVC_NAMESERVERS: 'ns1.example.net' }, { httpPort: '1' })
    const { node, pebble } = certified
    try {
      const team = await newTeam(node)
      await deploy(team, { target: 'production' })
      const domain = await servedDomain(
        certified,
        team,
        (await team.owner('GET', '/v1/projects/web')).body.id,
      )
      const row = async () => {
        const { db } = node.installation.store
        return (await db.select().from(certificates).where(eq(certificates.name, domain)))[0]
      }
      await expect.poll(async () => (await row())?.attempts).toBe(1)
      // Over TLS it would be found, so that is left out.
      const { db } = node.installation.store
      await db.update(certificates).set({ attempts: 2, dueMs: 0 }).where(eq(certificates.name, domain))
      await expect.poll(async () => (await row())?.attempts, { timeout: 25_000 }).toBe(3)
      const { tls } = (await team.owner('GET', `/v1/domains/${domain}`)).body
      expect(tls.error.reason).toBe('validation_failed')
      expect(node.logged.some((line) => line.includes('dns_not_delegated'))).toBe(true)
      expect(pebble.output()).not.toContain('DNS-01')
    } finally {
      await certified.close()
    }
  })
})

describe.skipIf(!hasPebble)('an authority with faults', () => {
  it('that refuses a third of all nonces, and is slow, issues all the same', async () => {
    const certified = await startCertifiedNode(
      {
        SVC_EDGE_URL: 'https://sites.example',
        SVC_NAMESERVERS: 'ns1.example.net',
        SVC_TLS_PORT: await freePort(),
        SVC_URL: 'https://api.example',
      },
      { environment: { PEBBLE_WFE_NONCEREJECT: '30', PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '2' } },
    )
    try {
      certified.dns.set('api.example', 'A', ['127.0.0.1'])
      const apiPort = String(certified.node.settings.SVC_TLS_PORT)
      const shaken = () =>
        shake({ ...certified, tlsPort: apiPort }, 'api.example').then(() => 'shaken', String)
      await expect.poll(shaken, { timeout: 30_000 }).toBe('shaken')
    } finally {
      await certified.close()
    }
  })
})
