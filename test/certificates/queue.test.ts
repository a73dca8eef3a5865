import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  advance,
  claimNext,
  LostClaimError,
  retryMs,
  settle,
  wantCertificates,
} from '../../src/certificates/queue.ts'
import { certificates } from '../../src/db/schema/certificates.ts'
import { domains } from '../../src/db/schema/domains.ts'
import { claim as claimDomain } from '../support/claims.ts'
import { createDatabase } from '../support/databases.ts'
import { startTestNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

describe('the queue of certificates', () => {
  let node: TestNode
  let database: { url: string; drop(): Promise<void> } | undefined
  const minuteMs = 60_000
  let nowMs = Date.now()

  beforeAll(async () => {
    // Of its own: the tests claim whatever is due.
    database = process.env.TEST_ON === undefined ? undefined : await createDatabase(process.env.TEST_ON)
    node = await startTestNode({
      SVC_DATABASE_CONNECTIONS: '1',
      ...(database && { DATABASE_URL: database.url }),
    })
  })
  afterAll(async () => {
    await node.stop()
    await database?.drop()
  })

  const db = () => node.installation.store.db
  const add = async (team: TestTeam, count: number, changes: Partial<typeof domains.$inferInsert> = {}) => {
    const names = Array.from({ length: count }, () => `${unique('www')}.example`)
    for (const name of names) {
      const id = await claimDomain(node, team, name, { proven: true })
      await db()
        .update(domains)
        .set({ configured: true, ...changes })
        .where(eq(domains.id, id))
    }
    return names
  }
  const want = async () => {
    while (await wantCertificates(db(), nowMs));
  }
  const claimed = async () => {
    const claim = await claimNext(db(), nowMs)
    return claim ?? expect.unreachable('something is due')
  }
  const rowOf = async (name: string) =>
    (await db().select().from(certificates).where(eq(certificates.name, name)))[0]
  const empty = () => db().delete(certificates)

  it('has the domains that are verified and lead here, once each', async () => {
    await empty()
    const team = await newTeam(node)
    const [name] = await add(team, 1)
    await add(team, 1, { configured: false })
    await claimDomain(node, team, `${unique('www')}.example`)
    await want()
    await want()
    const rows = await db().select().from(certificates)
    expect(rows.map((row) => row.name)).toEqual([name])
  })

  it('gives each to one worker, until its lease expires', async () => {
    await empty()
    const [name = ''] = await add(await newTeam(node), 1)
    await want()
    const first = await claimed()
    expect(first.name).toBe(name)
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    nowMs += 2 * minuteMs
    await advance(db(), first, { orderUrl: 'https://authority.example/1' }, nowMs)
    nowMs += 2 * minuteMs
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    nowMs += 2 * minuteMs
    const second = await claimed()
    // It goes on with the order.
    expect(second).toMatchObject({ name, orderUrl: 'https://authority.example/1' })
    await expect(advance(db(), first, {}, nowMs)).rejects.toThrow(LostClaimError)
    await expect(settle(db(), first, { dueMs: null })).rejects.toThrow(LostClaimError)
    await settle(db(), second, { dueMs: null })
    expect(await rowOf(name)).toMatchObject({ dueMs: null, lease: null })
  })

  it('lets the team come first that ordered the least, and stops one that ordered 50 times in three hours', async () => {
    await empty()
    const [many, few] = [await newTeam(node), await newTeam(node)]
    await add(many, 52)
    await want()
    nowMs += 1
    const [last] = await add(few, 1)
    await want()
    const order = async () => {
      const claim = await claimed()
      await settle(db(), claim, { dueMs: null, orderedMs: nowMs })
      return claim.name
    }
    await order()
    expect(await order()).toBe(last)
    for (let orders = 1; orders < 50; orders += 1) await order()
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    nowMs += 3 * 60 * minuteMs + 1
    expect(await claimNext(db(), nowMs)).toBeDefined()
  })

  it('counts each attempt that failed within the three hours', async () => {
    await empty()
    const [failing, other] = [await newTeam(node), await newTeam(node)]
    await add(failing, 11)
    await want()
    await db().update(certificates).set({ attempts: 5, orderedMs: nowMs })
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    await add(other, 1)
    await want()
    expect(await claimNext(db(), nowMs)).toMatchObject({ teamId: other.id })
  })

  it('orders nothing for a name that nobody can own', async () => {
    await empty()
    const team = await newTeam(node)
    const id = await claimDomain(node, team, 'site.home.arpa', { proven: true })
    await db().update(domains).set({ configured: true }).where(eq(domains.id, id))
    await want()
    expect(await rowOf('site.home.arpa')).toMatchObject({ dueMs: null, errorReason: 'local_name' })
  })

  it('tries again later and later, daily in the end', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 100].map((attempts) => retryMs(attempts, 0) / minuteMs)
    expect(minutes).toEqual([1, 5, 20, 60, 180, 720, 1_440, 1_440])
  })
})
