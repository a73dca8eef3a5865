/** When the rest of a body is dropped, and that it is. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { canBeDrained, drain } from '../../../src/lib/net/unread-body.ts'

it.each<[boolean, string[]]>([
  [true, ['Host', 'x', 'Accept', 'y']],
  [true, ['content-length', '0']],
  [true, ['Content-Length', '65536']],
  [false, ['Content-Length', '65537']],
  [false, ['CONTENT-LENGTH', '99999999999999999999']],
  [false, ['Transfer-Encoding', 'chunked']],
  [false, ['Content-Length', '2', 'Expect', '100-continue']],
])('%s for %j', (expected, rawHeaders) => {
  expect(canBeDrained(rawHeaders)).toBe(expected)
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
