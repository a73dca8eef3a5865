/** Waiting in tests: what is quick isn't slowed, and a failure says what was missed. */
import { expect, it } from 'vitest'
import { eventually, until } from './eventually.ts'

it('resolves to the first result, and looks again soon', async () => {
  let looks = 0
  const startMs = performance.now()
  const third = () => {
    looks += 1
    if (looks < 3) throw new Error('not yet')
    return looks
  }
  expect(await eventually(third)).toBe(3)
  expect(performance.now() - startMs).toBeLessThan(1_000)
  expect(await until(() => looks++ > 5 && 'found')).toBe('found')
})

it('fails with the last error, after a last look once the time is over', async () => {
  let looks = 0
  const never = () => {
    looks += 1
    throw new Error(`look ${looks}`)
  }
  await expect(eventually(never, { limitMs: 0 })).rejects.toThrow('look 1')
  await expect(until(() => looks > 1_000, { limitMs: 20 })).rejects.toThrow('looks > 1e3')
})
