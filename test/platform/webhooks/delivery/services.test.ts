/** Slack and Discord on a real socket: what they are sent, and that nobody reads the address again. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSender } from '../../../../src/platform/webhooks/delivery/attempt.ts'
import { startDeliveries } from '../../../../src/platform/webhooks/delivery/delivery-loop.ts'
import { createMailer } from '../../../../src/platform/webhooks/mails/send-mails.ts'
import { deliveries } from '../../../../src/stores/db/schema/webhooks.ts'
import { callRpc } from '../../../api/server/call-procedure.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { dumpTables } from '../../../support/dump.ts'
import { eventually } from '../../../support/eventually.ts'
import { createTestLog, knowSecret } from '../../../support/kept-logs.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

let node: TestNode
let team: TestTeam
let receiver: Receiver
let stop: () => Promise<void>
/** What makes the address a secret. */
let secret: string

beforeAll(async () => {
  node = await startOwnNode({ SVC_WEBHOOKS_ALLOW_PRIVATE: '1' })
  return () => node.stop()
})

beforeEach(async () => {
  node.clock.aheadMs = 0
  team = await newTeam(node)
  receiver = await startReceiver()
  secret = unique('T0SECRET-of-the-address')
  knowSecret('an address', secret)
  const { store, keys } = node.installation
  const [nowMs, apiUrl] = [() => Date.now() + node.clock.aheadMs, () => node.apiUrl]
  stop = startDeliveries({
    ...{ store, apiUrl, nowMs, key: keys.webhooks, log: createTestLog(node.logged) },
    mailer: createMailer({ store, route: undefined, apiUrl, nowMs }),
    sender: createSender({ allowPrivate: true, resolvers: undefined, limitMs: 10_000 }),
  })
})

afterEach(async () => {
  await stop()
  await receiver.close()
  await node.installation.store.db.delete(deliveries)
})

async function newWebhook(format: 'slack' | 'discord'): Promise<string> {
  const url = `${receiver.url}/${secret}?token=${secret}`
  const { status, body } = await team.owner('POST', '/v1/webhooks', { format, url })
  expect(status).toBe(200)
  return body.id
}

const read = async (id: string) => (await team.owner('GET', `/v1/webhooks/${id}`)).body

describe.each(['slack', 'discord'] as const)('a webhook of the format %s', (format) => {
  it('gets unsigned messages, and what people want to know of by default', async () => {
    receiver.answer = 204
    const id = await newWebhook(format)
    await eventually(async () =>
      expect((await read(id)).deliveries[0]).toMatchObject({ status: 'delivered' }),
    )
    const [test] = receiver.received
    expect(test?.path).toBe(`/hook/${secret}?token=${secret}`)
    expect(Object.keys(test?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([])
    expect(test?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(test?.body ?? '')).toHaveProperty(format === 'slack' ? 'blocks' : 'embeds')
    await team.owner('PUT', '/v1/projects/web')
    await team.owner('POST', '/v1/deployments', {
      project: 'web',
      target: 'production',
      files: [{ path: 'index.html', content: 'hello' }],
    })
    await eventually(() => expect(receiver.received).toHaveLength(2))
    const sent = receiver.received.map(({ body }) => body).join('\n')
    // One message for a deployment that goes live as soon as it is ready.
    expect(sent).not.toContain('Deployment ready')
    expect(sent).toContain('In production')
    expect((await read(id)).deliveries).toHaveLength(2)
    expect(sent).toContain(`${node.apiUrl}/${team.slug}/web/deployments/dpl_`)
    const { body } = await callRpc(node, team.ownerKey, 'webhooks.deliveries', { webhook: id })
    const listed = Object(body).result.data.data
    expect(listed.map((each: { body: string }) => each.body).toSorted()).toEqual(
      receiver.received.map((each) => each.body).toSorted(),
    )
    const again = { webhook: id, delivery: listed[0].id }
    expect((await callRpc(node, team.ownerKey, 'webhooks.redeliver', again)).status).toBe(200)
    await eventually(() => expect(receiver.received).toHaveLength(3))
    expect((await callRpc(node, team.ownerKey, 'webhooks.test', { webhook: id })).status).toBe(200)
    await eventually(() => expect(receiver.received).toHaveLength(4))
  })

  it('shows nobody more than the host, and keeps the address sealed', async () => {
    receiver.answer = 500
    const url = `${receiver.url}/${secret}`
    const made = await team.owner('POST', '/v1/webhooks', { format, url })
    expect(made.body).toMatchObject({ format, url: `http://127.0.0.1:${receiver.port}/…` })
    expect(made.body).not.toHaveProperty('secret')
    const { id } = made.body
    await eventually(async () => expect((await read(id)).deliveries[0].error).toBe('Status 500.'))
    const member = await addMember(node, team)
    const answers: { body: unknown }[] = [made]
    for (const key of [team.ownerKey, member.key]) {
      for (const [name, input] of [
        ['webhooks.list', {}],
        ['webhooks.get', { webhook: id }],
        ['webhooks.deliveries', { webhook: id }],
        ['observability.logs', { kind: 'audit' }],
      ] as const)
        answers.push(await callRpc(node, key, name, input))
    }
    answers.push(await team.owner('POST', '/v1/webhooks', { format, url: `${url}#fragment` }))
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(secret)
    expect(JSON.stringify(await dumpTables(node))).not.toContain(secret)
    expect(JSON.stringify(node.logged)).not.toContain(secret)
  })

  it('is disabled by a 404, which an address that was withdrawn answers', async () => {
    receiver.answer = 404
    const id = await newWebhook(format)
    await eventually(async () =>
      expect(await read(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' }),
    )
  })

  it('waits as long as Retry-After says', async () => {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end()
    const id = await newWebhook(format)
    await eventually(async () => expect((await read(id)).deliveries[0]).toMatchObject({ http_status: 429 }))
    const [delivery] = (await read(id)).deliveries
    expect(delivery.next_attempt_ms - Date.now()).toBeGreaterThan(590_000)
  })
})
