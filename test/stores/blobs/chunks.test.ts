import { expect, it } from 'vitest'
import { chunkBytes, giveBack, takeChunk } from '../../../src/stores/blobs/chunks.ts'

it('a returned chunk is lent again, to one at a time', () => {
  const chunk = takeChunk()
  giveBack(chunk)
  giveBack(chunk)
  const taken = Array.from({ length: 20 }, takeChunk)
  expect(taken).toContain(chunk)
  expect(new Set(taken).size).toBe(20)
})

it('a chunk that was never lent is not accepted', () => {
  const own = [Buffer.alloc(chunkBytes), takeChunk().subarray(1)]
  for (const each of own) giveBack(each)
  const taken = Array.from({ length: 20 }, takeChunk)
  for (const each of own) expect(taken.some((chunk) => chunk.buffer === each.buffer)).toBe(false)
})
