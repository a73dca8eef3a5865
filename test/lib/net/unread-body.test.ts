/** What body a request announces, and that the rest of one is dropped. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { type Announced, announcedBody, drain } from '../../../src/lib/net/unread-body.ts'

it.each<[Announced, string[]]>([
  ['none', ['Host', 'x', 'Accept', 'y']],
  ['none', ['content-length', '0']],
  ['short', ['Content-Length', '65536']],
  ['long', ['Content-Length', '65537']],
  ['long', ['CONTENT-LENGTH', '99999999999999999999']],
  ['long', ['Transfer-Encoding', 'chunked']],
  ['long', ['Content-Length', '2', 'Expect', '100-continue']],
])('%s for %j', (expected, rawHeaders) => {
  expect(announcedBody(rawHeaders)).toBe(expected)
})

it('a body that somebody still waits for is read to its end', async () => {
  const body = new Readable({ read() {} })
  const chunks = body.iterator({ destroyOnReturn: false })
  body.push('first')
  await chunks.next()
  const waiting = chunks.next()
  const ended = once(body, 'end')
  drain(body)
  body.push('more')
  body.push(null)
  await ended
  expect(await waiting).toMatchObject({ done: true })
})
