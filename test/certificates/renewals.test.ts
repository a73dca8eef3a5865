/**
 * Renewals of certificates, by the advice of the authority and without it.
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificates } from '../../src/db/schema/certificates.ts'
import { deploy } from '../deployments/steps.ts'
import { hasPebble } from '../support/has-pebble.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
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
  const rowOf = async (name: string) => {
    const [row] = await db().select().from(certificates).where(eq(certificates.name, name))
    return row ?? expect.unreachable('there is a row')
  }
  const dueNow = (name: string) =>
    db().update(certificates).set({ dueMs: 0 }).where(eq(certificates.name, name))
  const nowMs = () => Date.now() + certified.node.clock.aheadMs

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
    renewalInfo.isAway = true
    await dueNow(domain)
    const tls = async () => (await team.owner('GET', `/v1/domains/${domain}`)).body.tls
    await expect.poll(tls).toMatchObject({ state: 'active', error: { reason: 'authority_unavailable' } })
    expect(await visit(certified, domain)).toMatchObject({ status: 200 })
    renewalInfo.isAway = false
    await dueNow(domain)
    await expect.poll(async () => (await rowOf(domain)).chain).not.toBe(chain)
    await expect.poll(tls).toMatchObject({ state: 'active', error: null })
  })

  it('is ordered again with another account where the authority has forgotten the account', async () => {
    const domain = await servedDomain(certified, team, project)
    await visit(certified, domain)
    await certified.pebble.restart()
    const other = await servedDomain(certified, team, project)
    await expect.poll(async () => (await rowOf(other).catch(() => undefined))?.attempts).toBe(1)
    await dueNow(other)
    await expect.poll(async () => (await rowOf(other)).chain).not.toBeNull()
  })
})
