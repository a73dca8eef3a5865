/** The number of deliveries that wait for a webhook is limited: beyond it, the oldest fail. */
import { asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { giveUpOldest } from '../../../../src/platform/webhooks/delivery/give-up-oldest.ts'
import { events } from '../../../../src/stores/db/schema/events.ts'
import { deliveries, webhooks } from '../../../../src/stores/db/schema/webhooks.ts'
import { callRpc } from '../../../api/server/call-procedure.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

const nowMs = 1_000_000
const most = 10

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  // Without a worker, which would send the deliveries.
  node = await startOwnNode({ SVC_WEBHOOKS_ALLOW_PRIVATE: '1' })
  team = await newTeam(node)
  return () => node.stop()
})

const db = () => node.installation.store.db

/**
 * A webhook with this many waiting deliveries, each created a millisecond after the one before and due
 * earlier.
 */
async function newWebhook(waiting: number, { id: teamId } = team): Promise<string> {
  const id = newId('webhook', nowMs)
  const url = 'http://127.0.0.1:1/hook'
  await db().insert(webhooks).values({ id, teamId, url, events: [], sealedSecret: '', createdMs: 1 })
  const eventId = newId('event', nowMs)
  await db().insert(events).values({ id: eventId, teamId, type: 'project.created', createdMs: 1, data: {} })
  const delivery = { teamId, webhookId: id, eventId, status: 'pending' as const }
  const rows = Array.from({ length: waiting }, (_, age) => ({
    ...delivery,
    id: newId('delivery', nowMs),
    createdMs: age,
    dueMs: 1_000 - age,
  }))
  await db().insert(deliveries).values(rows)
  return id
}

/** When the waiting deliveries were created. */
async function left(webhookId: string): Promise<number[]> {
  const rows = await db()
    .select({ createdMs: deliveries.createdMs })
    .from(deliveries)
    .where(sql`${eq(deliveries.webhookId, webhookId)} and status = 'pending'`)
    .orderBy(asc(deliveries.createdMs))
  return rows.map(({ createdMs }) => createdMs)
}

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

describe('of a webhook’s waiting deliveries', () => {
  it('the oldest are given up beyond the limit, however late due; other webhooks keep all', async () => {
    const full = await newWebhook(most)
    const over = await newWebhook(most + 7)
    const ofOther = await newWebhook(most + 2, await newTeam(node))
    let ended = 0
    for (let more = -1; more !== 0; ended += more) more = await giveUpOldest(db(), nowMs, most)
    expect(ended).toBe(7 + 2)
    expect(await left(full)).toEqual(from(0, most))
    expect(await left(over)).toEqual(from(7, most))
    expect(await left(ofOther)).toEqual(from(2, most))
  })

  it('the given-up ones are failed in the API, and can be sent again', async () => {
    const id = await newWebhook(most + 1)
    await giveUpOldest(db(), nowMs, most)
    const { body } = await team.owner('GET', `/v1/webhooks/${id}`)
    const [given] = body.deliveries.filter(({ status }: { status: string }) => status === 'failed')
    expect(given).toMatchObject({
      created_ms: 0,
      next_attempt_ms: null,
      error: 'More than 10 deliveries were pending for the webhook; the oldest were dropped.',
    })
    await callRpc(node, team.ownerKey, 'webhooks.redeliver', { webhook: id, delivery: given.id })
    expect(await left(id)).toEqual(from(0, most + 1))
  })

  it('none is given up while it is being sent', async () => {
    const id = await newWebhook(most + 2)
    await db()
      .update(deliveries)
      .set({ leaseMs: nowMs + 1 })
      .where(sql`${eq(deliveries.webhookId, id)} and created_ms < 2`)
    await giveUpOldest(db(), nowMs, most)
    expect(await left(id)).toEqual([0, 1, ...from(4, most - 2)])
  })
})
