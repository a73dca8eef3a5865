/** How many of a webhook's waiting deliveries are claimed at a time. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { claimDeliveries } from '../../../../src/platform/webhooks/delivery/claim-delivery.ts'
import type { UnderWay } from '../../../../src/platform/webhooks/delivery/under-way.ts'
import { events } from '../../../../src/stores/db/schema/events.ts'
import { deliveries, webhooks } from '../../../../src/stores/db/schema/webhooks.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

const nowMs = 1_000
const waiting = 40

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  // Without a worker, which would claim deliveries itself.
  node = await startOwnNode()
  return () => node.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
  await db().delete(webhooks)
})

const db = () => node.installation.store.db

type Health = {
  lastDeliveryMs?: number
  failingSinceMs?: number
  enabled?: boolean
  slow?: boolean
  url?: string
}

/** A webhook with 40 waiting deliveries. */
async function newWebhook(health: Health, teamId = team.id): Promise<string> {
  const id = newId('webhook', nowMs)
  const hook = { id, teamId, url: `https://${id}.example.com`, events: [], sealedSecret: '', createdMs: 1 }
  await db()
    .insert(webhooks)
    .values({ ...hook, ...health })
  const happened = Array.from({ length: waiting }, () => newId('event', nowMs))
  const event = { teamId, type: 'project.created', createdMs: 1, data: {} }
  await db()
    .insert(events)
    .values(happened.map((eventId) => ({ ...event, id: eventId })))
  const delivery = { teamId, webhookId: id, status: 'pending' as const, dueMs: 1, createdMs: 1 }
  await db()
    .insert(deliveries)
    .values(happened.map((eventId) => ({ ...delivery, id: newId('delivery', nowMs), eventId })))
  return id
}

const nothing: UnderWay = { byTeam: new Map(), byHost: new Map(), byWebhook: new Map(), slow: [] }

type Claim = { limit?: number; share?: number; after?: string; underWay?: Partial<UnderWay>; atMs?: number }

/** The webhooks of the claimed deliveries. */
async function claim({ underWay, atMs = nowMs, ...options }: Claim = {}): Promise<string[]> {
  const jobs = await claimDeliveries(db(), {
    limit: 100,
    share: 100,
    nowMs: atMs,
    ...options,
    underWay: { ...nothing, ...underWay },
  })
  return jobs.map(({ webhookId }) => webhookId)
}

/** The number of each. */
const counts = (taken: string[], ids: string[]) => ids.map((id) => taken.filter((each) => each === id).length)

it.each<[string, Health, number]>([
  ['a new webhook', {}, 2],
  ['one that accepts its deliveries', { lastDeliveryMs: 1 }, 16],
  ['one whose last response was slow', { lastDeliveryMs: 1, slow: true }, 4],
  ['one that fails', { lastDeliveryMs: 1, failingSinceMs: 2 }, 2],
  ['one that never accepted any', { failingSinceMs: 2 }, 2],
  ['one that is disabled', { lastDeliveryMs: 1, enabled: false }, 0],
])('for %s', async (_what, health, expected) => {
  await newWebhook(health)
  expect(await claim()).toHaveLength(expected)
})

it('for a webhook with a slow response under way', async () => {
  const id = await newWebhook({ lastDeliveryMs: 1 })
  expect(await claim({ underWay: { slow: [id], byWebhook: new Map([[id, 1]]) } })).toHaveLength(3)
})

it('no more than the free slots beside deliveries under way', async () => {
  const id = await newWebhook({ lastDeliveryMs: 1 })
  const beside = (count: number) => claim({ underWay: { byWebhook: new Map([[id, count]]) } })
  expect(await beside(10)).toHaveLength(6)
  expect(await beside(16)).toEqual([])
  expect(await beside(20)).toEqual([])
})

it('each webhook’s own share, and no more in total than requested', async () => {
  const healthy = await newWebhook({ lastDeliveryMs: 1 })
  const fresh = await newWebhook({})
  const busy = await newWebhook({ lastDeliveryMs: 1 })
  const taken = await claim({ limit: 40, underWay: { byWebhook: new Map([[busy, 1]]) } })
  // Half of the limit; the webhook with deliveries under way comes last.
  expect(counts(taken, [healthy, fresh, busy])).toEqual([16, 2, 2])
})

it('no more than half for one team at once, and no more than its share with those under way', async () => {
  const own = [await newWebhook({ lastDeliveryMs: 1 }), await newWebhook({ lastDeliveryMs: 1 })]
  const other = await newTeam(node)
  const others = [await newWebhook({ lastDeliveryMs: 1 }, other.id)]
  const first = await claim({ limit: 20 })
  expect(counts(first, own).reduce((a, b) => a + b)).toBe(10)
  expect(counts(first, others)).toEqual([10])
  const underWay = { byTeam: new Map([[team.id, 17]]) }
  const second = await claim({ share: 20, underWay })
  expect(counts(second, own).reduce((a, b) => a + b)).toBe(3)
  // However little the other team gets, this one gets its share.
  expect(counts(second, others)).toEqual([16])
  expect(counts(await claim({ share: 17, underWay }), own)).toEqual([0, 0])
})

it('no more than a host’s share, whichever teams’ webhooks lead there', async () => {
  const other = await newTeam(node)
  const slow = { lastDeliveryMs: 1, url: 'https://SLOW.example.com/a?b' }
  const there = [await newWebhook(slow), await newWebhook(slow, other.id)]
  const elsewhere = await newWebhook({ lastDeliveryMs: 1 })
  const taken = await claim({ share: 50, underWay: { byHost: new Map([['slow.example.com', 50]]) } })
  expect(counts(taken, [...there, elsewhere])).toEqual([0, 0, 16])
})

it('first for the teams after the one that was served last', async () => {
  const teams = [team, await newTeam(node), await newTeam(node)].map(({ id }) => id).sort()
  const hooks: string[] = []
  for (const id of teams) hooks.push(await newWebhook({ lastDeliveryMs: 1 }, id))
  const taken = await claim({ limit: 20, after: teams[0] ?? '' })
  expect(counts(taken, hooks)).toEqual([0, 10, 10])
})

it('none that another worker has claimed, until its lease expires', async () => {
  const id = await newWebhook({ lastDeliveryMs: 1 })
  await claim()
  await db().delete(deliveries).where(eq(deliveries.attempts, 0))
  expect(await claim()).toEqual([])
  expect(await claim({ atMs: nowMs + 30_000 })).toEqual(Array(16).fill(id))
  const rows = await db().select({ attempts: deliveries.attempts }).from(deliveries)
  expect(rows.map(({ attempts }) => attempts)).toEqual(Array(16).fill(2))
})

it('also deliveries that were queued before they had a team', async () => {
  const id = await newWebhook({ lastDeliveryMs: 1 })
  await db().update(deliveries).set({ teamId: '' })
  expect(await claim()).toEqual(Array(16).fill(id))
})

it.each([
  ['that lasts', 20_000, 0],
  ['of a clock that was a year ahead, and was corrected', 365 * 24 * 3_600_000, 1],
])('leaves deliveries under a lease %s: %s ms', async (_, leftMs, taken) => {
  const id = await newWebhook({})
  await db()
    .update(deliveries)
    .set({ leaseMs: nowMs + leftMs })
    .where(eq(deliveries.webhookId, id))
  expect(await claim({ limit: 1 })).toHaveLength(taken)
})
