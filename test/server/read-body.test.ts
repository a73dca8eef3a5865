/** How large a body may be, whatever pieces it comes in. */
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readBody } from '../../src/server/http/read-body.ts'

const limits = { maxBytes: 6, timeoutMs: 1_000 }

const pieces = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)))

it('a body of exactly the limit is read', async () => {
  expect((await readBody(pieces('four', 'tw'), limits)).toString()).toBe('fourtw')
})

it('one of a byte more is refused', async () => {
  const refusal = readBody(pieces('four', 'two'), limits)
  await expect(refusal).rejects.toMatchObject({ reason: 'body_too_large' })
})
