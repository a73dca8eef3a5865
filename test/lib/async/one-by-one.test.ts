/** Work that runs one piece at a time for each key. */
import { expect, it } from 'vitest'
import { oneByOne } from '../../../src/lib/async/one-by-one.ts'

/** Work that ends on request. */
function piece(began: string[], name: string) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    end,
    work: async () => {
      began.push(name)
      await ended
      return name
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('runs in order, beside that of other keys, and only a limited number waits', async () => {
  const inLine = oneByOne(2, () => new Error('too many'))
  const began: string[] = []
  const [first, second, third, other] = ['first', 'second', 'third', 'other'].map((name) =>
    piece(began, name),
  )
  if (!first || !second || !third || !other) throw new Error('Four were made.')
  const all = [first, second, third].map(({ work }) => inLine('a', work))
  await expect(inLine('a', first.work)).rejects.toThrow('too many')
  const beside = inLine('b', other.work)
  await settle()
  expect(began).toEqual(['first', 'other'])
  third.end()
  first.end()
  await settle()
  expect(began).toEqual(['first', 'other', 'second'])
  second.end()
  other.end()
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third'])
  await beside
})

it('continues after a failure', async () => {
  const inLine = oneByOne(1, () => new Error('too many'))
  const failed = inLine('a', () => Promise.reject(new Error('broken')))
  const next = inLine('a', async () => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
