import { expect, it } from 'vitest'
import { mergeSorted, withoutThose } from '../../../src/operate/backup/merge-sorted.ts'

async function* list(text: string): AsyncGenerator<string> {
  yield* text.split('')
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

it.each([
  [[], ''],
  [['abc'], 'abc'],
  [['ace', 'bd'], 'abcde'],
  [['abc', 'abc', 'b'], 'abc'],
  [['', 'a'], 'a'],
  [['aab'], 'ab'],
])('%j merge to %j', async (lists, merged) => {
  expect((await gather(mergeSorted(lists.map(list)))).join('')).toBe(merged)
})

it.each([
  ['abcd', 'bd', 'ac'],
  ['abc', '', 'abc'],
  ['', 'abc', ''],
  ['ac', 'abcd', ''],
  ['bd', 'ace', 'bd'],
])('%j without %j are %j', async (all, others, rest) => {
  expect((await gather(withoutThose(list(all), list(others)))).flat().join('')).toBe(rest)
})

it('comes in batches', async () => {
  expect(await gather(withoutThose(list('abcde'), list('c'), 2))).toEqual([
    ['a', 'b'],
    ['d', 'e'],
  ])
})
