/** How much of what waits for a webhook is taken at a time. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { events } from '../../../src/db/schema/events.ts'
import { deliveries, webhooks } from '../../../src/db/schema/webhooks.ts'
import { newId } from '../../../src/ids.ts'
import { claimDeliveries } from '../../../src/webhooks/delivery/claim.ts'
import { startOwnNode } from '../../db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

const nowMs = 1_000
const waiting = 40

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  // Without a worker, which would take what is claimed here.
  node = await startOwnNode()
  return () => node.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
  await db().delete(webhooks)
})

const db = () => node.installation.store.db

type Health = { lastDeliveryMs?: number; failingSinceMs?: number; enabled?: boolean }

/** A webhook for which 40 deliveries wait. */
async function newWebhook(health: Health): Promise<string> {
  const id = newId('webhook', nowMs)
  const hook = { id, teamId: team.id, url: 'https://192.0.2.1', events: [], sealedSecret: '', createdMs: 1 }
  await db()
    .insert(webhooks)
    .values({ ...hook, ...health })
  const happened = Array.from({ length: waiting }, () => newId('event', nowMs))
  const event = { teamId: team.id, type: 'project.created', createdMs: 1, data: {} }
  await db()
    .insert(events)
    .values(happened.map((eventId) => ({ ...event, id: eventId })))
  const delivery = { webhookId: id, status: 'pending' as const, dueMs: 1, createdMs: 1 }
  await db()
    .insert(deliveries)
    .values(happened.map((eventId) => ({ ...delivery, id: newId('delivery', nowMs), eventId })))
  return id
}

async function claim({ limit = 100, underWay = new Map<string, number>() } = {}): Promise<string[]> {
  const jobs = await claimDeliveries(db(), { limit, after: '', underWay, nowMs })
  return jobs.map(({ webhookId }) => webhookId)
}

it.each<[string, Health, number]>([
  ['one that is new', {}, 2],
  ['one that takes its deliveries', { lastDeliveryMs: 1 }, 16],
  ['one that fails', { lastDeliveryMs: 1, failingSinceMs: 2 }, 2],
  ['one that never took any', { failingSinceMs: 2 }, 2],
  ['one that is disabled', { lastDeliveryMs: 1, enabled: false }, 0],
])('for %s', async (_what, health, expected) => {
  await newWebhook(health)
  expect(await claim()).toHaveLength(expected)
})

it('no more than there is room for beside what is under way', async () => {
  const id = await newWebhook({ lastDeliveryMs: 1 })
  expect(await claim({ underWay: new Map([[id, 10]]) })).toHaveLength(6)
  expect(await claim({ underWay: new Map([[id, 16]]) })).toEqual([])
  expect(await claim({ underWay: new Map([[id, 20]]) })).toEqual([])
})

it('of each webhook its own part, and of all together no more than is asked for', async () => {
  const healthy = await newWebhook({ lastDeliveryMs: 1 })
  const fresh = await newWebhook({})
  const all = await claim({ limit: 17 })
  expect(all).toHaveLength(17)
  const of = (id: string) => all.filter((each) => each === id).length
  expect([of(healthy), of(fresh)].sort((a, b) => a - b)).toEqual(healthy < fresh ? [1, 16] : [2, 15])
})

it('of those that another has taken none, until its lease is over', async () => {
  const id = await newWebhook({ lastDeliveryMs: 1 })
  await claim()
  await db().delete(deliveries).where(eq(deliveries.attempts, 0))
  expect(await claim()).toEqual([])
  const later = await claimDeliveries(db(), {
    limit: 100,
    after: '',
    underWay: new Map(),
    nowMs: nowMs + 30_000,
  })
  expect(later.map(({ webhookId, attempts }) => [webhookId, attempts])).toEqual(Array(16).fill([id, 2]))
})
