/** A time limit for a wait. */
import { expect, it } from 'vitest'
import { within } from '../../../src/lib/async/within.ts'

const never = new Promise<string>(() => {})

it('settles like work that ends in time', async () => {
  expect(await within(10_000, Promise.resolve('done'), () => 'late')).toBe('done')
  await expect(within(10_000, Promise.reject(new Error('broken')), () => 'late')).rejects.toThrow('broken')
})

it('settles as given for work that does not', async () => {
  expect(await within(1, never, () => 'late')).toBe('late')
  expect(await within(1, never, async () => 'later')).toBe('later')
  const refuse = () => {
    throw new Error('too late')
  }
  await expect(within(1, never, refuse)).rejects.toThrow('too late')
})

it('ignores work that fails after its time', async () => {
  let fail = (_error: Error) => {}
  const work = new Promise<string>((_, reject) => {
    fail = reject
  })
  expect(await within(1, work, () => 'late')).toBe('late')
  fail(new Error('broken'))
  await new Promise((resolve) => setImmediate(resolve))
})
