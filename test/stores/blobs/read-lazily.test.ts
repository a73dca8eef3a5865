/** How much of an object is in memory before somebody wants it. */
import { expect, it } from 'vitest'
import { holdLast } from '../../../src/stores/blobs/hold-last.ts'
import { readLazily } from '../../../src/stores/blobs/read-lazily.ts'

const chunks = 5
const chunkBytes = 10

/** A source, and how many of its chunks were made. */
function newSource() {
  const made = { chunks: 0 }
  async function* source(): AsyncGenerator<Buffer> {
    while (made.chunks < chunks) {
      made.chunks += 1
      yield Buffer.alloc(chunkBytes)
    }
  }
  return { made, source: source() }
}

/** Reads as much as there is without waiting for the end, and lets the source go on as far as it does. */
async function readOne(stream: ReturnType<typeof readLazily>): Promise<number> {
  const isThere = new Promise((resolve) => stream.once('readable', resolve))
  const early = stream.read()
  if (early === null) await isThere
  const chunk = early ?? stream.read()
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return chunk.length
}

it('nothing is read ahead of a reader', async () => {
  const { made, source } = newSource()
  const stream = readLazily(source)
  expect(await readOne(stream)).toBe(chunkBytes)
  expect(made.chunks).toBe(1)
  stream.destroy()
})

it('nor for the sake of a check, before the last chunk', async () => {
  const { made, source } = newSource()
  const stream = readLazily(holdLast(source, () => {}, chunks * chunkBytes))
  expect(await readOne(stream)).toBe(chunkBytes)
  expect(made.chunks).toBe(1)
  stream.destroy()
})

it.each([undefined, chunks * chunkBytes])('the last chunk comes after the check: %s bytes', async (bytes) => {
  const { source } = newSource()
  const refuse = () => {
    throw new Error('wrong')
  }
  let received = 0
  const readAll = async () => {
    for await (const chunk of holdLast(source, refuse, bytes)) received += chunk.length
  }
  await expect(readAll()).rejects.toThrow('wrong')
  expect(received).toBe((chunks - 1) * chunkBytes)
})

it('a source that is longer than it should be is checked at its end', async () => {
  const { source } = newSource()
  let received = 0
  for await (const chunk of holdLast(source, () => {}, chunkBytes)) received += chunk.length
  expect(received).toBe(chunks * chunkBytes)
})
