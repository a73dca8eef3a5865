/**
 * Events reach the webhooks that are subscribed to them, however long that takes, and no receiver delays
 * another's.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSender } from '../../../../src/platform/webhooks/delivery/attempt.ts'
import { startDeliveries } from '../../../../src/platform/webhooks/delivery/delivery-loop.ts'
import { createMailer } from '../../../../src/platform/webhooks/mails/send-mails.ts'
import { deliveries, webhooks } from '../../../../src/stores/db/schema/webhooks.ts'
import { recordEvents } from '../../../../src/stores/events/record-events.ts'
import { callRpc } from '../../../api/server/call-procedure.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { eventually } from '../../../support/eventually.ts'
import { createTestLog } from '../../../support/kept-logs.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { answerEndlessly, type Receiver, startReceiver } from '../receiver.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const dayMs = 24 * 60 * minuteMs

let node: TestNode
let team: TestTeam
let receiver: Receiver
let stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  // Without a worker: each test starts its own.
  node = await startOwnNode({ SVC_WEBHOOKS_ALLOW_PRIVATE: '1' })
  return () => node.stop()
})

beforeEach(async () => {
  node.clock.aheadMs = 0
  team = await newTeam(node)
  receiver = await startReceiver()
})

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  stops = []
  await receiver.close()
  await node.installation.store.db.delete(webhooks)
})

type Room = Parameters<typeof startDeliveries>[0]['room']

/** Starts deliveries, as a node with the worker role does. */
function startWorker({ limitMs = 10 * secondMs, room }: { limitMs?: number; room?: Room } = {}) {
  const { store, keys } = node.installation
  const sender = createSender({ allowPrivate: true, resolvers: undefined, limitMs })
  const log = createTestLog(node.logged)
  const apiUrl = () => node.apiUrl
  const mailer = createMailer({ store, route: undefined, apiUrl, nowMs: now })
  const stop = startDeliveries({
    ...{ store, sender, mailer, apiUrl, log },
    key: keys.webhooks,
    nowMs: now,
    ...(room && { room }),
  })
  stops.push(stop)
  return stop
}

/** Creates a webhook that has already accepted its ping. */
async function newWebhook(url = receiver.url, events = ['project.created']): Promise<string> {
  const { status, body } = await team.owner('POST', '/v1/webhooks', { url, events })
  expect(status).toBe(200)
  return body.id
}

const now = () => Date.now() + node.clock.aheadMs

const happen = (name: string) => team.owner('PUT', `/v1/projects/${name}`)

const read = async (id: string) => (await team.owner('GET', `/v1/webhooks/${id}`)).body

const typesAt = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type)

/** Waits until the webhook's last delivery matches. */
const untilLast = (id: string, expected: object) =>
  eventually(async () => expect((await read(id)).deliveries[0]).toMatchObject(expected))

/** Waits until each webhook has accepted a delivery. */
const untilTaken = () =>
  eventually(async () => {
    const { body } = await team.owner('GET', '/v1/webhooks')
    for (const { last_delivery_ms } of body.data) expect(last_delivery_ms).not.toBeNull()
  })

/** Waits until this attempt has failed, and the next one is scheduled. */
const untilFailed = (id: string, attempts: number) =>
  eventually(async () => {
    const [last] = (await read(id)).deliveries
    expect(last).toMatchObject({ status: 'pending', attempts, error: expect.any(String) })
    // For a delivery under way it is the end of the lease.
    if (attempts > 1) expect(last.next_attempt_ms - now()).toBeGreaterThan(minuteMs)
  })

/** Moves the clock, which the worker notices when it polls next. */
function pass(ms: number): void {
  node.clock.aheadMs += ms
  node.installation.store.changes.publish({ kind: 'work', id: 'deliveries' })
}

describe('an event', () => {
  it('is delivered, after the ping', async () => {
    startWorker()
    const id = await newWebhook()
    await happen('web')
    await eventually(() => expect(typesAt(receiver).sort()).toEqual(['project.created', 'webhook.ping']))
    const [message] = receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.project)
    expect(Object.keys(message)).toEqual(['id', 'type', 'created_ms', 'team', 'data'])
    expect(message).toMatchObject({ team: team.slug, data: { project: { name: 'web' } } })
    await eventually(async () => {
      const webhook = await read(id)
      expect(webhook.last_delivery_ms).toBeGreaterThanOrEqual(webhook.created_ms)
      expect(webhook.deliveries).toHaveLength(2)
      expect(webhook.deliveries[0]).toMatchObject({
        event: message.id,
        status: 'delivered',
        http_status: 200,
        attempts: 1,
        duration_ms: expect.any(Number),
        next_attempt_ms: null,
        error: null,
      })
    })
  })

  it('that waited while no worker ran is delivered by the first that starts', async () => {
    await newWebhook()
    startWorker()
    await eventually(() => expect(typesAt(receiver)).toEqual(['webhook.ping']))
  })

  it('of a rolled-back transaction is never delivered', async () => {
    startWorker()
    const id = await newWebhook()
    await untilLast(id, { status: 'delivered' })
    const { store } = node.installation
    await store
      .transact(async (tx) => {
        const data = { project: { id: 'prj_1', name: 'web' } }
        await recordEvents(tx, { origin: null, nowMs: Date.now() }, [
          { teamId: team.id, type: 'project.created', data },
        ])
        throw new Error('rolled back')
      })
      .catch(() => {})
    await happen('after')
    await eventually(() => expect(receiver.received).toHaveLength(2))
    expect(receiver.received[1]?.body).toContain('"after"')
  })
})

describe('a failed delivery', () => {
  const metadata = 'http://169.254.169.254/latest/meta-data/'
  const failures: [string, Receiver['answer'], { http_status: number | null; error: string }][] = [
    ['answers 500', 500, { http_status: 500, error: 'Status 500.' }],
    [
      'redirects',
      (response) => response.writeHead(302, { location: metadata }).end(),
      { http_status: 302, error: 'Status 302: redirects are not followed.' },
    ],
    ['does not answer', () => {}, { http_status: null, error: 'The request timed out.' }],
    [
      'hangs up',
      (response) => response.socket?.resetAndDestroy(),
      { http_status: null, error: 'The connection failed.' },
    ],
    ['answers endlessly', answerEndlessly, { http_status: null, error: 'The response is too long.' }],
  ]

  it.each(failures)(
    'because its receiver %s is retried with the same id',
    async (_what, answer, expectedError) => {
      startWorker(expectedError.error === 'The request timed out.' ? { limitMs: 500 } : {})
      receiver.answer = answer
      const id = await newWebhook()
      await untilLast(id, { status: 'pending', attempts: 1, ...expectedError })
      const { deliveries, failing_since_ms } = await read(id)
      expect(failing_since_ms).toBeGreaterThan(0)
      expect(deliveries[0].next_attempt_ms - Date.now()).toBeGreaterThan(3 * secondMs)
      expect(deliveries[0].next_attempt_ms - Date.now()).toBeLessThan(6 * secondMs)
      receiver.answer = 204
      pass(6 * secondMs)
      await untilLast(id, { status: 'delivered', attempts: 2, http_status: 204, error: null })
      const [first, second] = receiver.received
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      expect(second?.body).toBe(first?.body)
      expect((await read(id)).failing_since_ms).toBeNull()
    },
  )

  it('waits as long as Retry-After says', async () => {
    startWorker()
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    const id = await newWebhook()
    await untilLast(id, { status: 'pending', http_status: 429 })
    const { deliveries } = await read(id)
    expect(deliveries[0].next_attempt_ms - Date.now()).toBeGreaterThan(59 * minuteMs)
  })

  it('is given up after ten failures; later events are delivered meanwhile', async () => {
    startWorker()
    receiver.answer = 500
    const id = await newWebhook()
    for (let attempts = 1; attempts < 10; attempts += 1) {
      await untilFailed(id, attempts)
      pass(27 * 60 * minuteMs)
      // A success in between keeps it enabled.
      if (attempts % 3 === 0) {
        const { store } = node.installation
        await store.db.update(webhooks).set({ failingSinceMs: null }).where(eq(webhooks.id, id))
      }
    }
    await untilLast(id, { status: 'failed', attempts: 10, next_attempt_ms: null, error: 'Status 500.' })
    receiver.answer = 200
    await happen('web')
    await untilLast(id, { status: 'delivered', attempts: 1 })
    pass(30 * dayMs)
    await sleep(100)
    expect(receiver.received).toHaveLength(11)
  })
})

describe('a webhook', () => {
  it('that responds 410 is disabled, and its waiting deliveries are given up', async () => {
    receiver.answer = 500
    const stop = startWorker()
    const id = await newWebhook()
    await untilFailed(id, 1)
    await stop()
    receiver.answer = 410
    await happen('web')
    startWorker()
    await eventually(async () => expect((await read(id)).enabled).toBe(false))
    const webhook = await read(id)
    expect(webhook).toMatchObject({ disabled_reason: 'gone' })
    expect(webhook.deliveries).toMatchObject([
      { status: 'failed', http_status: 410 },
      { status: 'failed', error: 'The webhook was disabled.' },
    ])
    await happen('later')
    pass(dayMs)
    await sleep(100)
    expect(receiver.received).toHaveLength(2)
  })

  it('that has only failed for five days is disabled, and can be enabled again', async () => {
    receiver.answer = 500
    startWorker()
    const id = await newWebhook()
    await untilFailed(id, 1)
    pass(4.9 * dayMs)
    await untilFailed(id, 2)
    expect((await read(id)).enabled).toBe(true)
    pass(0.2 * dayMs)
    await eventually(async () => expect((await read(id)).enabled).toBe(false))
    expect(await read(id)).toMatchObject({ disabled_reason: 'failing' })
    receiver.answer = 200
    const enabled = await callRpc(node, team.ownerKey, 'webhooks.enable', { webhook: id })
    expect(enabled.status).toBe(200)
    expect(await read(id)).toMatchObject({ enabled: true, disabled_reason: null, failing_since_ms: null })
    await happen('web')
    await untilLast(id, { status: 'delivered' })
    // The old ones stay given up.
    expect(receiver.received).toHaveLength(4)
  })

  it('that was deleted receives nothing more', async () => {
    receiver.answer = 500
    startWorker()
    const id = await newWebhook()
    await untilFailed(id, 1)
    await team.owner('DELETE', `/v1/webhooks/${id}`)
    await happen('web')
    pass(dayMs)
    await sleep(100)
    expect(receiver.received).toHaveLength(1)
  })

  it('that was disabled meanwhile receives none of its queued deliveries', async () => {
    const id = await newWebhook()
    const { db } = node.installation.store
    await db.update(webhooks).set({ enabled: false }).where(eq(webhooks.id, id))
    startWorker()
    await sleep(100)
    expect(receiver.received).toHaveLength(0)
  })
})

describe('a slow or dead receiver', () => {
  it('delays no other, however many deliveries wait for it', async () => {
    const dead = await startReceiver()
    dead.answer = () => {}
    for (const _ of [1, 2, 3]) await newWebhook(dead.url)
    const live = await newWebhook()
    for (let index = 0; index < 20; index += 1) await happen(`p-${index}`)
    startWorker({ limitMs: 60_000 })
    await eventually(() => expect(receiver.received).toHaveLength(21))
    await untilLast(live, { status: 'delivered' })
    // They have no history yet: each has had two.
    expect(dead.received).toHaveLength(6)
    await dead.close()
  })
})

describe('a team whose receivers stop responding', () => {
  it('leaves room for the others, however many deliveries wait for it', async () => {
    const room = { all: 40, quick: 40, together: 1 }
    const silent = await startReceiver()
    for (const _ of [1, 2, 3, 4, 5]) await newWebhook(silent.url)
    startWorker({ limitMs: 60_000, room })
    await eventually(() => expect(silent.received).toHaveLength(5))
    // By now they are known to accept their deliveries.
    silent.answer = () => {}
    await untilTaken()
    for (let index = 0; index < 16; index += 1) await happen(`p-${index}`)
    const half = room.all / 2
    await eventually(() => expect(silent.received.length).toBeGreaterThanOrEqual(5 + half / 2))
    team = await newTeam(node)
    const quiet = await newWebhook()
    for (let index = 0; index < 8; index += 1) await happen(`q-${index}`)
    await eventually(() => expect(receiver.received).toHaveLength(9))
    await untilLast(quiet, { status: 'delivered' })
    expect(silent.received.length).toBeLessThanOrEqual(5 + half)
    await silent.close()
  })
})

describe('a worker that dies', () => {
  it('leaves its deliveries to another, after its lease; the same message is sent again', async () => {
    receiver.answer = () => {}
    const stop = startWorker({ limitMs: 60_000 })
    const id = await newWebhook()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    await stop()
    expect(await read(id)).toMatchObject({ deliveries: [{ status: 'pending', attempts: 1, error: null }] })
    receiver.answer = 200
    startWorker()
    await sleep(100)
    expect(receiver.received).toHaveLength(1)
    pass(31 * secondMs)
    await untilLast(id, { status: 'delivered', attempts: 2 })
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  it('cannot record results once another worker took over', async () => {
    const answers: ((status: number) => void)[] = []
    receiver.answer = (response) => answers.push((status) => response.writeHead(status).end())
    startWorker({ limitMs: 60_000 })
    const id = await newWebhook()
    await eventually(() => expect(answers).toHaveLength(1))
    node.clock.aheadMs += 31 * secondMs
    startWorker({ limitMs: 60_000 })
    await eventually(() => expect(answers).toHaveLength(2))
    answers[0]?.(500)
    await sleep(200)
    expect(await read(id)).toMatchObject({
      failing_since_ms: null,
      deliveries: [{ status: 'pending', attempts: 2, http_status: null }],
    })
    answers[1]?.(204)
    await untilLast(id, { status: 'delivered', attempts: 2, http_status: 204 })
  })

  it('two workers send each event once', async () => {
    startWorker()
    startWorker()
    await newWebhook()
    for (let index = 0; index < 20; index += 1) await happen(`p-${index}`)
    await eventually(() => expect(receiver.received).toHaveLength(21))
    await sleep(100)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(21)
    expect(ids).toHaveLength(21)
  })
})

describe('redelivery', () => {
  const redeliver = (webhook: string, delivery: string) =>
    callRpc(node, team.ownerKey, 'webhooks.redeliver', { webhook, delivery })

  const refused = (status: number, reason: string) => ({ status, body: { error: { data: { reason } } } })

  it('sends the same event once more', async () => {
    startWorker()
    const id = await newWebhook()
    await untilLast(id, { status: 'delivered' })
    const [{ id: delivery }] = (await read(id)).deliveries
    expect((await redeliver(id, delivery)).status).toBe(200)
    await eventually(() => expect(receiver.received).toHaveLength(2))
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
    await untilLast(id, { status: 'delivered', attempts: 1 })
  })

  it('is a conflict for a queued delivery, and for a disabled webhook', async () => {
    const id = await newWebhook()
    const [{ id: delivery }] = (await read(id)).deliveries
    expect(await redeliver(id, delivery)).toMatchObject(refused(409, 'delivery_pending'))
    const { db } = node.installation.store
    await db.update(deliveries).set({ status: 'failed' })
    await db.update(webhooks).set({ enabled: false })
    expect(await redeliver(id, delivery)).toMatchObject(refused(409, 'webhook_disabled'))
  })

  it('of another webhook’s delivery is 404', async () => {
    const [id, other] = [await newWebhook(), await newWebhook()]
    const [{ id: delivery }] = (await read(other)).deliveries
    expect(await redeliver(id, delivery)).toMatchObject(refused(404, 'delivery_not_found'))
  })
})
