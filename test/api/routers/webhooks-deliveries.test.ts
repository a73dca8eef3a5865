/** What a client gets that reads the deliveries of a webhook, or sends it a test event. */
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type RouterInputs, type RouterOutputs } from '../../../src/api/client/index.ts'
import { events } from '../../../src/stores/db/schema/events.ts'
import { deliveries, webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let webhook: string

beforeAll(async () => {
  // Without a worker: what is queued stays so.
  node = await startOwnNode({ SVC_ROLES: 'api' })
  return () => node.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
  const wanted = { url: 'https://hooks.example.com/', events: ['project.created'] }
  webhook = (await team.owner('POST', '/v1/webhooks', wanted)).body.id
})

const db = () => node.installation.store.db
const api = () => createClient({ url: node.apiUrl, token: team.ownerKey }).webhooks

type Options = Omit<RouterInputs['webhooks']['deliveries'], 'webhook'>

async function walk(options: Options): Promise<RouterOutputs['webhooks']['deliveries']['data']> {
  const seen = []
  let cursor: string | undefined
  do {
    const page = await api().deliveries.query({ webhook, ...options, cursor })
    seen.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return seen
}

/** Adds delivered ones older than the ping, one failed one before all of them. */
async function fill(count: number): Promise<void> {
  await db().execute(sql`
    insert into deliveries (id, team_id, webhook_id, event_id, status, due_ms, created_ms)
    select 'dlv_' || md5(id || n), team_id, webhook_id, event_id,
      case when n = 0 then 'failed' else 'delivered' end, n, n
    from deliveries, generate_series(0, ${count}::int) as n where webhook_id = ${webhook}`)
}

describe('the deliveries of a webhook', () => {
  it('have the event, and the body of its request', async () => {
    const [ping] = (await team.owner('GET', `/v1/webhooks/${webhook}`)).body.deliveries
    const [event] = await db().select().from(events).where(eq(events.id, ping.event))
    const { data, next_cursor } = await api().deliveries.query({ webhook })
    expect(data).toEqual([{ ...ping, type: 'webhook.ping', body: expect.any(String) }])
    expect(JSON.parse(data[0]?.body ?? '')).toEqual({
      id: ping.event,
      type: 'webhook.ping',
      created_ms: event?.createdMs,
      team: team.slug,
      data: { webhook: { id: webhook, url: 'https://hooks.example.com' } },
    })
    expect(next_cursor).toBeNull()
  })

  it('come newest first, in pages without gaps', async () => {
    await fill(5)
    const all = await walk({ limit: 100 })
    expect(all.map(({ created_ms }) => created_ms).slice(1)).toEqual([5, 4, 3, 2, 1, 0])
    expect(await walk({ limit: 2 })).toEqual(all)
    expect(await walk({ limit: 7 })).toEqual(all)
  })

  it('in one state are found however far back they are', async () => {
    await fill(1_200)
    expect((await walk({ state: 'failed' })).map(({ created_ms }) => created_ms)).toEqual([0])
    expect((await walk({ state: 'pending' })).map(({ type }) => type)).toEqual(['webhook.ping'])
    const delivered = await walk({ state: 'delivered', limit: 100 })
    expect(delivered.map(({ created_ms }) => created_ms)).toEqual(
      Array.from({ length: 1_200 }, (_, index) => 1_200 - index),
    )
  })
})

describe('a test event', () => {
  const refusal = (reason: string) => ({ data: { reason } })

  it('is a ping that is queued now', async () => {
    await db().update(deliveries).set({ status: 'delivered' }).where(eq(deliveries.webhookId, webhook))
    const sent = await api().test.mutate({ webhook })
    expect(sent).toMatchObject({ status: 'pending', attempts: 0, http_status: null })
    const [newest] = (await api().deliveries.query({ webhook })).data
    expect(newest).toMatchObject({ ...sent, type: 'webhook.ping' })
  })

  it('is a conflict while another is pending, and sends nothing', async () => {
    await expect(api().test.mutate({ webhook })).rejects.toMatchObject(refusal('delivery_pending'))
    expect(await walk({})).toHaveLength(1)
  })

  it('is sent once where two ask at the same moment', async () => {
    await db().update(deliveries).set({ status: 'failed' }).where(eq(deliveries.webhookId, webhook))
    const both = await Promise.allSettled([api().test.mutate({ webhook }), api().test.mutate({ webhook })])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('is a conflict for a disabled webhook', async () => {
    await db().update(webhooks).set({ enabled: false }).where(eq(webhooks.id, webhook))
    await expect(api().test.mutate({ webhook })).rejects.toMatchObject(refusal('webhook_disabled'))
  })
})
