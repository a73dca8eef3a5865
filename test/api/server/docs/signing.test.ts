/** The function in docs/signing.md, applied to webhook deliveries. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { newSecret, sign } from '../../../../src/platform/webhooks/secret.ts'

type IsGenuine = (secret: string, headers: Record<string, string>, body: string) => boolean

const moduleSchema = z.object({
  isGenuine: z.custom<IsGenuine>((value) => typeof value === 'function'),
})

let isGenuine: IsGenuine

beforeAll(async () => {
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync('docs/signing.md', 'utf8')) ?? []
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  isGenuine = moduleSchema.parse(await import(/* @vite-ignore */ url)).isGenuine
})

const secret = newSecret()
const body = '{"type":"webhook.ping"}'
const id = 'evt_019aa5d3d1c0a4b2f60d93c2e8175b64'
const now = () => Math.floor(Date.now() / 1000)

function headersAt(timestamp: number, signature = sign(secret, id, timestamp, body)) {
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
}

it('accepts a request signed with the secret, also with several signatures', () => {
  expect(isGenuine(secret, headersAt(now()), body)).toBe(true)
  const several = `v1,AAAA ${sign(secret, id, now(), body)}`
  expect(isGenuine(secret, headersAt(now(), several), body)).toBe(true)
})

it.each([
  ['another secret', newSecret(), headersAt(now()), body],
  ['another body', secret, headersAt(now()), `${body} `],
  ['another id', secret, { ...headersAt(now()), 'webhook-id': 'evt_1' }, body],
  ['an old request', secret, headersAt(now() - 301), body],
  ['one from the future', secret, headersAt(now() + 302), body],
  ['a time that is not a number', secret, { ...headersAt(now()), 'webhook-timestamp': 'x' }, body],
  ['no signature', secret, headersAt(now(), ''), body],
])('refuses %s', (_what, key, headers, text) => {
  expect(isGenuine(key, headers, text)).toBe(false)
})
