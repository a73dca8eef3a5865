import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OrderLimitError, recordOrder } from '../../../src/platform/certificates/order-limits.ts'
import {
  advance,
  beginOrder,
  claimNext,
  LostClaimError,
  retryMs,
  settle,
  wantCertificates,
  wantPlatformName,
} from '../../../src/platform/certificates/queue.ts'
import { certificateOrders, certificates } from '../../../src/stores/db/schema/certificates.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { claim as claimDomain } from '../../support/claims.ts'
import { createDatabase } from '../../support/databases.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

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
  const empty = async () => {
    await db().delete(certificates)
    await db().delete(certificateOrders)
  }
  /** Orders the next name as a worker does, and resolves to it. */
  const order = async () => {
    const claim = await claimed()
    await beginOrder(db(), claim, nowMs)
    await settle(db(), claim, { dueMs: null })
    return claim.name
  }
  /** As many orders of earlier, each of another name. */
  const ordered = (count: number, of: (index: number) => { name: string; teamId: string | null }) =>
    db()
      .insert(certificateOrders)
      .values(
        Array.from({ length: count }, (_, index) => {
          const { name, teamId } = of(index)
          return { name, teamId, orderedMs: nowMs, registrable: name.split('.').slice(-2).join('.') }
        }),
      )
  const record = (name: string, teamId: string | null, isFirst = true) =>
    db().transaction((tx) => recordOrder(tx, { name, teamId, isFirst }, nowMs))

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

  it('favours the team that ordered least, and stops one after 50 orders in three hours', async () => {
    await empty()
    const [many, few] = [await newTeam(node), await newTeam(node)]
    await add(many, 52)
    await want()
    nowMs += 1
    const [last] = await add(few, 1)
    await want()
    await order()
    expect(await order()).toBe(last)
    for (let orders = 1; orders < 50; orders += 1) await order()
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    nowMs += 3 * 60 * minuteMs + 1
    expect(await claimNext(db(), nowMs)).toBeDefined()
  })

  it('counts what was ordered, also for domains and teams that were deleted since', async () => {
    await empty()
    const [first, second] = [await newTeam(node), await newTeam(node)]
    const names = await add(first, 2)
    await want()
    for (const _ of names) await order()
    await ordered(48, (index) => ({ name: `${index}.example`, teamId: first.id }))
    for (const name of names)
      expect(await first.owner('DELETE', `/v1/domains/${name}`)).toMatchObject({ status: 200 })
    await add(first, 1)
    await want()
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    // Whoever orders for the team all the same has to wait.
    await expect(record('www.example', first.id)).rejects.toThrow(OrderLimitError)
    expect(await first.owner('DELETE', `/v1/teams/${first.slug}`)).toMatchObject({ status: 200 })
    expect(await db().$count(certificateOrders)).toBe(50)
    await add(second, 1)
    await want()
    expect(await claimed()).toMatchObject({ teamId: second.id })
  })

  it('stops first orders at 250 of however many teams, and leaves some for renewals', async () => {
    await empty()
    const team = await newTeam(node)
    const [renewed = ''] = await add(team, 1)
    await want()
    await db().update(certificates).set({ chain: 'one' }).where(eq(certificates.name, renewed))
    await ordered(250, (index) => ({ name: `${index}.example`, teamId: `team ${index % 25}` }))
    await add(await newTeam(node), 1)
    await want()
    await wantPlatformName(db(), '*.sites.example', nowMs)
    expect([await order(), await order()].sort()).toEqual(['*.sites.example', renewed].sort())
    expect(await claimNext(db(), nowMs)).toBeUndefined()
    await expect(record('www.example', 'another team')).rejects.toThrow('of all teams')
    await ordered(28, (index) => ({ name: `${index}.example`, teamId: null }))
    await expect(record('api.example', null)).rejects.toThrow('280 of all teams')
    nowMs += 6 * 60 * minuteMs
    expect(await claimNext(db(), nowMs)).toBeDefined()
    await record('www.example', team.id)
    // Those before are forgotten.
    expect(await db().$count(certificateOrders)).toBe(1)
  })

  it('orders at most 50 of a registrable domain, and 5 for one name, whoever wants them', async () => {
    await empty()
    for (let orders = 0; orders < 5; orders += 1) await record('www.one.example', `team ${orders}`)
    await expect(record('www.one.example', 'team 6')).rejects.toThrow('for www.one.example')
    await ordered(45, (index) => ({ name: `${index}.one.example`, teamId: `team ${index % 7}` }))
    await expect(record('other.one.example', 'another team')).rejects.toThrow('below one.example')
    await record('www.two.example', 'another team')
  })

  it('holds the limits while many order at once', async () => {
    await empty()
    await ordered(40, (index) => ({ name: `before-${index}.example`, teamId: 'team' }))
    const all = await Promise.allSettled(
      Array.from({ length: 15 }, (_, index) => record(`${index}.example`, 'team')),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  it('goes on with the attempts of a name that led elsewhere meanwhile', async () => {
    await empty()
    const team = await newTeam(node)
    const [name = ''] = await add(team, 1)
    await want()
    await settle(db(), await claimed(), { dueMs: null, attempts: 4 })
    await db().update(domains).set({ certificateWanted: false }).where(eq(domains.domain, name))
    await want()
    expect(await claimed()).toMatchObject({ name, attempts: 4 })
  })

  it('makes no first orders during a pause; renewals and orders under way go on', async () => {
    await empty()
    const names = await add(await newTeam(node), 3)
    const [renewed = '', begun = '', first = ''] = names
    await want()
    const change = (name: string, to: Partial<typeof certificates.$inferInsert>) =>
      db().update(certificates).set(to).where(eq(certificates.name, name))
    await change(renewed, { chain: 'one' })
    await change(begun, { orderUrl: 'https://authority.example/1' })
    const paused = () => claimNext(db(), nowMs, { isPaused: true })
    expect([(await paused())?.name, (await paused())?.name].sort()).toEqual([renewed, begun].sort())
    expect(await paused()).toBeUndefined()
    expect(await claimed()).toMatchObject({ name: first })
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
