/** The size limit of a body, however it is split. */
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readBody } from '../../../src/api/server/http/read-body.ts'

const limits = { maxBytes: 6, timeoutMs: 1_000 }

const pieces = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)))

it('a body of exactly the limit is read', async () => {
  expect((await readBody(pieces('four', 'tw'), limits)).toString()).toBe('fourtw')
})

it('a body of one byte more is refused', async () => {
  const refusal = readBody(pieces('four', 'two'), limits)
  await expect(refusal).rejects.toMatchObject({ reason: 'body_too_large' })
})

it.each([
  ['not at all', 0],
  ['as shorter than it is', 2],
  ['as a part that ends within a piece', 5],
  ['as it is', 6],
])('a body whose length is declared %s is read as it arrives', async (_how, declaredBytes) => {
  const body = await readBody(pieces('fo', 'ur', 'tw'), { ...limits, declaredBytes })
  expect(body.toString()).toBe('fourtw')
})

it('pieces stay in order, also small ones after the declared end', async () => {
  const body = await readBody(pieces('fo', 'ur', 't', 'w'), { ...limits, declaredBytes: 3 })
  expect(body.toString()).toBe('fourtw')
})

it('a body that is shorter than declared has nothing beyond its end', async () => {
  expect((await readBody(pieces('fo', 'ur'), { ...limits, declaredBytes: 6 })).toString()).toBe('four')
})

it('a body that comes byte by byte without end is refused once its time is over', async () => {
  async function* trickle() {
    for (;;) {
      await setTimeout(5)
      yield Buffer.from('a')
    }
  }
  const body = readBody(Readable.from(trickle()), { maxBytes: 1_000, timeoutMs: 100 })
  await expect(body).rejects.toMatchObject({ reason: 'request_timeout' })
})
