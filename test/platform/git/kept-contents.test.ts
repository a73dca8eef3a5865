/** Contents of blobs between their two readings. */
import { expect, it, onTestFinished } from 'vitest'
import { createKept } from '../../../src/platform/git/kept-contents.ts'

function newKept() {
  const kept = createKept()
  onTestFinished(() => kept.end())
  return kept
}

it('are given back once', () => {
  const kept = newKept()
  kept.keep('a', Buffer.from('content'))
  expect(kept.take('a')?.toString()).toBe('content')
  expect(kept.take('a')).toBeUndefined()
})

it('are copies: what they were a part of may change', () => {
  const kept = newKept()
  const read = Buffer.from('content')
  kept.keep('a', read.subarray(0, 3))
  read.fill('x')
  expect(kept.take('a')?.toString()).toBe('con')
})

it('of all pushes have 64 MiB together, which are free again at the end of each', () => {
  const [first, second] = [newKept(), newKept()]
  const content = Buffer.alloc(16 * 1024 * 1024)
  for (const oid of ['a', 'b', 'c', 'd']) first.keep(oid, content)
  second.keep('e', Buffer.from('e'))
  expect(second.take('e')).toBeUndefined()
  first.take('d')
  second.keep('e', Buffer.from('e'))
  expect(second.take('e')?.toString()).toBe('e')
  first.end()
  for (const oid of ['f', 'g', 'h', 'i']) second.keep(oid, content)
  expect(second.take('i')).toHaveLength(content.length)
  first.keep('j', Buffer.from('j'))
  expect(first.take('j')).toBeUndefined()
})
