/** What is removed from a log when its retention is over. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { deleteOldEvents, deleteOldLines } from '../../../../src/platform/observability/logs/retention.ts'
import { events } from '../../../../src/stores/db/schema/events.ts'
import { logLines } from '../../../../src/stores/db/schema/logs.ts'
import { deliveries, webhooks } from '../../../../src/stores/db/schema/webhooks.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { writeLines } from './lines.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

const db = () => node.installation.store.db

const linesLeft = () => db().$count(logLines, eq(logLines.teamId, team.id))
const eventsLeft = () => db().$count(events, eq(events.teamId, team.id))

/** Events at these times; resolves to their ids. */
async function happened(...times: number[]): Promise<string[]> {
  const rows = times.map((createdMs) => ({ id: newId('event', createdMs), createdMs }))
  const shared = { teamId: team.id, type: 'webhook.ping', data: {} }
  await db()
    .insert(events)
    .values(rows.map((row) => ({ ...row, ...shared })))
  return rows.map(({ id }) => id)
}

async function newDelivery(eventId: string, status: 'pending' | 'delivered' | 'failed'): Promise<string> {
  const webhookId = newId('webhook', 1)
  // Disabled, so that no worker delivers it.
  const hook = {
    teamId: team.id,
    url: 'https://example.com',
    events: [],
    sealedSecret: '',
    createdMs: 1,
    enabled: false,
  }
  await db()
    .insert(webhooks)
    .values({ id: webhookId, ...hook })
  const id = newId('delivery', 1)
  await db().insert(deliveries).values({ id, webhookId, eventId, status, dueMs: 1, createdMs: 1 })
  return id
}

it('lines are removed from the millisecond on, 1,000 at a time', async () => {
  await writeLines(
    node,
    team,
    Array.from({ length: 1_002 }, (_, index) => ({ message: 'old', timeMs: index })),
  )
  const forget = (beforeMs: number) => deleteOldLines({ db: db(), beforeMs }, 'build')
  expect(await forget(1_001)).toBe(1_000)
  expect(await linesLeft()).toBe(2)
  expect(await forget(1_001)).toBe(1)
  expect(await forget(1_001)).toBe(0)
  expect(await linesLeft()).toBe(1)
  expect(await forget(1_002)).toBe(1)
})

it('lines of requests are removed separately', async () => {
  await writeLines(node, team, [
    { message: 'build', timeMs: 1 },
    { message: 'GET / 200', timeMs: 1, kind: 'request' },
  ])
  expect(await deleteOldLines({ db: db(), beforeMs: 10 }, 'request')).toBe(1)
  expect(await linesLeft()).toBe(1)
  expect(await deleteOldLines({ db: db(), beforeMs: 10 }, 'build')).toBe(1)
})

it('events are removed the same way, with their deliveries', async () => {
  const [old = ''] = await happened(1, 2, 3, 10)
  const delivery = await newDelivery(old, 'delivered')
  expect(await deleteOldEvents({ db: db(), beforeMs: 10 })).toBe(3)
  expect(await eventsLeft()).toBe(1)
  expect(await db().$count(deliveries, eq(deliveries.id, delivery))).toBe(0)
  expect(await deleteOldEvents({ db: db(), beforeMs: 11 })).toBe(1)
})

it('an event with a pending delivery stays until that has ended', async () => {
  const [old = ''] = await happened(1)
  await newDelivery(old, 'failed')
  const pending = await newDelivery(old, 'pending')
  expect(await deleteOldEvents({ db: db(), beforeMs: 10 })).toBe(0)
  expect(await db().$count(deliveries, eq(deliveries.eventId, old))).toBe(2)
  await db().update(deliveries).set({ status: 'delivered' }).where(eq(deliveries.id, pending))
  expect(await deleteOldEvents({ db: db(), beforeMs: 10 })).toBe(1)
})

it('several nodes remove lines at once without a failure', async () => {
  await writeLines(
    node,
    team,
    Array.from({ length: 900 }, () => ({ message: 'old', timeMs: 1 })),
  )
  await happened(...Array.from({ length: 900 }, () => 1))
  const rounds = [1, 2, 3].flatMap(() => [
    deleteOldLines({ db: db(), beforeMs: 10 }, 'build'),
    deleteOldEvents({ db: db(), beforeMs: 10 }),
  ])
  const counts = await Promise.all(rounds)
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(1_800)
})
