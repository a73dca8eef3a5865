/** Long work yields to others. */
import { expect, it } from 'vitest'
import { atOnce, inTurns } from '../../../src/lib/async/in-turns.ts'

/** Works until others had `turns` turns, which they never have if it isn't interrupted. */
function* workUntil(enough: () => boolean, most: number): Generator<void, number> {
  let steps = 0
  for (; !enough() && steps < most; steps += 1) yield
  return steps
}

it('interrupts work for other tasks, and resolves to its result', async () => {
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)
  const most = 2_000_000_000
  expect(await inTurns(workUntil(() => turns >= 3, most))).toBeLessThan(most)
  clearInterval(others)
})

it('rejects with the error of the work', async () => {
  function* failing(): Generator<void, never> {
    yield
    throw new Error('broken')
  }
  await expect(inTurns(failing())).rejects.toThrow('broken')
  expect(() => atOnce(failing())).toThrow('broken')
  expect(atOnce(workUntil(() => false, 5))).toBe(5)
})
