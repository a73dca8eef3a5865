/**
 * Renewals of certificates, by the advice of the authority and without it.
 * @module-tag long
 */
import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificateTask } from '../../../src/operate/node/certificates.ts'
import { createSharedAccount } from '../../../src/platform/certificates/account.ts'
import { createRemovalClock } from '../../../src/stores/clock/removal.ts'
import { acmeAccounts, certificates } from '../../../src/stores/db/schema/certificates.ts'
import { logOf } from '../../support/event-log.ts'
import { hasPebble } from '../../support/has-pebble.ts'
import { createTestLog } from '../../support/kept-logs.ts'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { type CertifiedNode, servedDomain, startCertifiedNode } from './node.ts'
import { shake, visit } from './tls-client.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

describe.skipIf(!hasPebble)('a certificate', () => {
  let certified: CertifiedNode
  let team: TestTeam
  let project: string

  beforeAll(async () => {
    certified = await startCertifiedNode({}, { hasRenewalInfo: true })
    team = await newTeam(certified.node)
    await deploy(team, { target: 'production' })
    project = (await team.owner('GET', '/v1/projects/web')).body.id
  })
  afterAll(() => certified.close())

  const db = () => certified.node.installation.store.db
  const rowsOf = (name: string) => db().select().from(certificates).where(eq(certificates.name, name))
  const rowOf = async (name: string) => (await rowsOf(name))[0] ?? expect.unreachable('there is a row')
  const dueNow = (name: string) =>
    db().update(certificates).set({ dueMs: 0 }).where(eq(certificates.name, name))
  const nowMs = () => Date.now() + certified.node.clock.aheadMs
  const accountUrl = async () => (await db().select({ url: acmeAccounts.url }).from(acmeAccounts))[0]?.url
  /** As its holder may, elsewhere (RFC 8555, section 7.3.6). */
  const deactivate = async () => {
    const { installation, settings } = certified.node
    const shared = createSharedAccount({
      store: installation.store,
      key: installation.keys.certificates,
      nowMs: Date.now,
      caaFamily: undefined,
      authority: {
        directoryUrl: settings.SVC_ACME_DIRECTORY,
        email: undefined,
        binding: undefined,
        ca: await readFile(certified.pebble.caFile, 'utf8'),
      },
      stopping: new AbortController().signal,
    })
    const { client, url } = await shared.open()
    await client.send(url, url, { status: 'deactivated' })
    await shared.close()
  }

  it('is renewed in the window that its authority names, as what it replaces', async () => {
    const { renewalInfo } = certified
    if (!renewalInfo) return expect.unreachable('it was started')
    const domain = await servedDomain(certified, team, project)
    await visit(certified, domain)
    renewalInfo.window = { startMs: nowMs() + dayMs, endMs: nowMs() + 2 * dayMs }
    const before = await rowOf(domain)
    await dueNow(domain)
    await expect.poll(async () => (await rowOf(domain)).dueMs).toBeGreaterThan(nowMs() + 5 * hourMs)
    const untouched = await rowOf(domain)
    expect(untouched.chain).toBe(before.chain)
    // The advice is read again after six hours, since it may change.
    expect(untouched.dueMs).toBeLessThan(nowMs() + 7 * hourMs)

    renewalInfo.window = { startMs: nowMs() - dayMs, endMs: nowMs() - hourMs }
    const open = await shake(certified, domain)
    await dueNow(domain)
    await expect.poll(async () => (await rowOf(domain)).chain).not.toBe(before.chain)
    expect(renewalInfo.replaced.at(-1)).toBe(renewalInfo.requested.at(-1))
    expect(open.destroyed).toBe(false)
    open.destroy()
    const next = async () => {
      const socket = await shake(certified, domain)
      const served = socket.getPeerCertificate().raw.toString('base64')
      socket.destroy()
      return (await rowOf(domain)).chain?.replaceAll('\n', '').includes(served)
    }
    await expect.poll(next).toBe(true)
    const events = await logOf(certified.node, team)
    const issued = events.filter(({ type }) => type === 'domain.certificate_issued').map(({ data }) => data)
    expect(issued).toMatchObject([
      { domain: { domain }, certificate: { renewal: false } },
      { domain: { domain }, certificate: { renewal: true } },
    ])
  })

  it('is served on while its authority is away, and renewed once that is back', async () => {
    const { renewalInfo } = certified
    if (!renewalInfo) return expect.unreachable('it was started')
    const domain = await servedDomain(certified, team, project)
    await visit(certified, domain)
    const { chain, notAfterMs, notBeforeMs } = await rowOf(domain)
    // Without advice it is due after two thirds of its lifetime, which are over if it ends tomorrow.
    renewalInfo.window = undefined
    expect((notAfterMs ?? 0) - (notBeforeMs ?? 0)).toBeGreaterThan(4 * dayMs)
    await db()
      .update(certificates)
      .set({ notBeforeMs: nowMs() - 3 * dayMs, notAfterMs: nowMs() + dayMs })
      .where(eq(certificates.name, domain))
    renewalInfo.away = /./
    await dueNow(domain)
    const tls = async () => (await team.owner('GET', `/v1/domains/${domain}`)).body.tls
    await expect.poll(tls).toMatchObject({ state: 'active', error: { reason: 'authority_unavailable' } })
    expect(await visit(certified, domain)).toMatchObject({ status: 200 })
    renewalInfo.away = undefined
    await dueNow(domain)
    await expect.poll(async () => (await rowOf(domain)).chain).not.toBe(chain)
    await expect.poll(tls).toMatchObject({ state: 'active', error: null })
  })

  it('is looked at again after six hours where the advice of its authority can’t be read', async () => {
    const { renewalInfo } = certified
    if (!renewalInfo) return expect.unreachable('it was started')
    const domain = await servedDomain(certified, team, project)
    await visit(certified, domain)
    const { chain } = await rowOf(domain)
    renewalInfo.window = undefined
    await dueNow(domain)
    await expect.poll(async () => (await rowOf(domain)).dueMs).toBeGreaterThan(nowMs() + 5 * hourMs)
    const { dueMs, chain: kept } = await rowOf(domain)
    expect(dueMs).toBeLessThan(nowMs() + 7 * hourMs)
    expect(kept).toBe(chain)
  })

  it('that an authority issued just before it went away is fetched once it is back', async () => {
    const { renewalInfo } = certified
    if (!renewalInfo) return expect.unreachable('it was started')
    renewalInfo.away = /^\/certZ\//
    const orders = renewalInfo.replaced.length
    const domain = await servedDomain(certified, team, project)
    const tls = async () => (await team.owner('GET', `/v1/domains/${domain}`)).body.tls
    await expect.poll(tls).toMatchObject({ state: 'failed', error: { reason: 'authority_unavailable' } })
    renewalInfo.away = undefined
    await dueNow(domain)
    await expect.poll(tls).toMatchObject({ state: 'active', error: null })
    expect(renewalInfo.replaced.length).toBe(orders + 1)
  })

  it('is ordered at once with another account where the account was deactivated', async () => {
    await visit(certified, await servedDomain(certified, team, project))
    const before = await accountUrl()
    await deactivate()
    const other = await servedDomain(certified, team, project)
    await expect.poll(async () => (await rowsOf(other))[0]?.chain).toBeTruthy()
    expect(await accountUrl()).not.toBe(before)
  })

  it('that is refused as unauthorized leaves a valid account in use', async () => {
    const { renewalInfo } = certified
    if (!renewalInfo) return expect.unreachable('it was started')
    await visit(certified, await servedDomain(certified, team, project))
    const before = await accountUrl()
    renewalInfo.refused = { path: /^\/order-plz/, status: 403, type: 'unauthorized' }
    const domain = await servedDomain(certified, team, project)
    const tls = async () => (await team.owner('GET', `/v1/domains/${domain}`)).body.tls
    await expect.poll(tls).toMatchObject({ state: 'failed', error: { reason: 'authority_refused' } })
    renewalInfo.refused = undefined
    expect(await accountUrl()).toBe(before)
    await dueNow(domain)
    await expect.poll(tls).toMatchObject({ state: 'active' })
  })

  it('holds up no others where its name is limited, all first ones where the account is', async () => {
    const { renewalInfo } = certified
    if (!renewalInfo) return expect.unreachable('it was started')
    const renewed = await servedDomain(certified, team, project)
    await visit(certified, renewed)
    const { chain } = await rowOf(renewed)
    const limited = { path: /^\/order-plz/, status: 429, type: 'rateLimited', retryAfter: 7200 }
    const tlsOf = async (name: string) => (await team.owner('GET', `/v1/domains/${name}`)).body.tls
    const refusedFor = async (name: string) =>
      expect.poll(() => tlsOf(name)).toMatchObject({ state: 'failed', error: { reason: 'authority_limits' } })
    const own = `${unique('limited')}.example`
    renewalInfo.refused = { ...limited, detail: `too many certificates already issued for "${own}"` }
    await servedDomain(certified, team, project, own)
    await refusedFor(own)
    renewalInfo.refused = { ...limited, detail: 'too many new orders recently' }
    const first = await servedDomain(certified, team, project)
    await refusedFor(first)
    renewalInfo.refused = undefined
    const waiting = await servedDomain(certified, team, project)
    renewalInfo.window = { startMs: 0, endMs: 1 }
    await dueNow(renewed)
    await expect.poll(async () => (await rowOf(renewed)).chain).not.toBe(chain)
    expect(await tlsOf(waiting)).toMatchObject({ state: 'pending' })
    expect((await rowOf(waiting)).orderedMs).toBeNull()
    await db().update(acmeAccounts).set({ pausedUntilMs: nowMs() })
    await expect.poll(() => tlsOf(waiting)).toMatchObject({ state: 'active' })
  })

  it('is neither ordered nor withdrawn while the clock can’t be believed', async () => {
    const { clock, installation, logged, settings, sitesUrl } = certified.node
    const served = await servedDomain(certified, team, project)
    await visit(certified, served)
    clock.aheadMs = 400 * dayMs
    try {
      const isNoticed = () => logged.some((line) => line.includes('ahead of when this installation last ran'))
      await expect.poll(isNoticed).toBe(true)
      const domain = await servedDomain(certified, team, project)
      await dueNow(served)
      const log = createTestLog([])
      const stopping = new AbortController().signal
      const { run } = await certificateTask({
        installation,
        settings,
        routing: { addresses: [], cname: undefined },
        sitesUrl,
        nowMs,
        log,
        stopping,
        observe: { ordered: () => {} },
        removal: createRemovalClock({ db: db(), nowMs, jumpDays: settings.SVC_CLOCK_JUMP_DAYS, log }),
      })
      expect(await run(stopping)).toBe(false)
      expect(await rowsOf(domain)).toEqual([])
      expect((await rowOf(served)).dueMs).toBe(0)
      expect(await visit(certified, served)).toMatchObject({ status: 200 })
      clock.aheadMs = 0
      await expect.poll(async () => (await rowsOf(domain))[0]?.chain, { timeout: 20_000 }).toBeTruthy()
    } finally {
      clock.aheadMs = 0
    }
  })

  it('is ordered at once with another account where a new authority has forgotten the old', async () => {
    await visit(certified, await servedDomain(certified, team, project))
    const before = await accountUrl()
    await certified.pebble.restart()
    const other = await servedDomain(certified, team, project)
    await expect.poll(async () => (await rowsOf(other))[0]?.chain).toBeTruthy()
    expect((await rowOf(other)).attempts).toBe(0)
    expect(await accountUrl()).not.toBe(before)
  })
})
