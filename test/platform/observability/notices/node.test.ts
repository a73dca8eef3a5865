/** A node that sends its operator what is wrong. */
import { expect, it, onTestFinished } from 'vitest'
import { sign } from '../../../../src/platform/webhooks/secret.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { startSmtpServer } from '../../../support/smtp-server.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

/** More than any disk has. */
const full = { SVC_DISK_RESERVE: String(1024 ** 5) }

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function startWith(environment: Record<string, string>) {
  const node = await startOwnNode({ ...full, ...environment })
  onTestFinished(() => node.stop())
  return node
}

it('by mail', async () => {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.close())
  const node = await startWith({ ...smtp.settings, SVC_OPERATOR_NOTICE: 'mailto:ops@example.com' })
  await expect.poll(() => smtp.mails, { timeout: 30_000 }).toHaveLength(1)
  expect(smtp.mails).toMatchObject([{ from: 'svc@example.com', to: ['ops@example.com'] }])
  expect(smtp.mails[0]?.headers.get('subject')?.[0]).toContain('disk full')
  expect(smtp.textTo('ops@example.com')).toContain(`The disk of ${node.settings.SVC_DATA_DIR} is full`)
})

it('by a signed webhook, again where it is not taken, without its address in the log', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  receiver.answer = 500
  const node = await startWith({
    SVC_OPERATOR_NOTICE: `${receiver.url}/alerts?key=hidden`,
    SVC_OPERATOR_NOTICE_SECRET: secret,
    SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  })
  await expect.poll(() => receiver.received, { timeout: 30_000 }).toHaveLength(1)
  receiver.answer = 200
  await expect
    .poll(() => node.logged.filter((line) => line.includes('was not sent')), { timeout: 10_000 })
    .toHaveLength(1)
  expect(node.logged.join('')).not.toContain('hidden')
  node.clock.aheadMs = 70_000
  await expect.poll(() => receiver.received, { timeout: 30_000 }).toHaveLength(2)
  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  const id = String(second?.headers['webhook-id'])
  const signed = sign(secret, id, Number(second?.headers['webhook-timestamp']), second?.body ?? '')
  expect(second?.headers['webhook-signature']).toBe(signed)
  const { type, alerts } = JSON.parse(second?.body ?? '')
  expect(type).toBe('operator.alerts')
  expect(alerts).toContainEqual(
    expect.objectContaining({ change: 'begins', name: 'disk_full', unit: 'free_bytes' }),
  )
})

it('an address inside the network stops the start with a sentence', async () => {
  const environment = {
    SVC_OPERATOR_NOTICE: 'https://127.0.0.1/alerts',
    SVC_OPERATOR_NOTICE_SECRET: secret,
  }
  await expect(startOwnNode(environment)).rejects.toThrow(
    'SVC_OPERATOR_NOTICE must not lead to 127.0.0.1, which is not a public address.',
  )
})
