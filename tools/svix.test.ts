/** Our webhook signatures, as checked by the package that many receivers use. */
import { Webhook } from 'svix'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSender, type Sender } from '../src/platform/webhooks/delivery/attempt.ts'
import { newSecret } from '../src/platform/webhooks/secret.ts'
import { type Receiver, startReceiver } from '../test/platform/webhooks/receiver.ts'

const secret = newSecret()
const body = JSON.stringify({ id: 'evt_1', data: { name: 'Zoë "quoted" \u2028' } })

let receiver: Receiver
let sender: Sender

beforeAll(async () => {
  receiver = await startReceiver()
  sender = createSender({ allowPrivate: true, resolvers: undefined, limitMs: 2_000 })
})

afterAll(async () => {
  await sender.close()
  await receiver.close()
})

/** Sends the body at this time, and verifies what arrives, with the change made on its way. */
async function verify(sentMs: number, change = (text: string) => text): Promise<unknown> {
  const to = { url: receiver.url, secret, id: 'evt_1', body, sentMs }
  await sender.send(to, new AbortController().signal)
  const got = receiver.received.at(-1)
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const headers = Object.fromEntries(signed.map((name) => [name, String(got?.headers[name])]))
  return new Webhook(secret).verify(change(got?.body ?? ''), headers)
}

it('are valid', async () => {
  expect(await verify(Date.now())).toEqual(JSON.parse(body))
})

it('are invalid for a body with a space more', async () => {
  await expect(verify(Date.now(), (text) => `${text} `)).rejects.toThrow('signature')
})

it.each([-302_000, 302_000])('are invalid %i ms away from now', async (aheadMs) => {
  await expect(verify(Date.now() + aheadMs)).rejects.toThrow('timestamp')
})
