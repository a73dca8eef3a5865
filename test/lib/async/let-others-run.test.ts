/** However many long tasks there are, other work waits for one step of one of them only. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { letOthersRun } from '../../../src/lib/async/let-others-run.ts'

it('continues one task per turn, in the order in which they came', async () => {
  const pieces: string[] = []
  async function work(name: string): Promise<void> {
    for (let piece = 1; piece <= 2; piece += 1) {
      await letOthersRun()
      pieces.push(`${name}${piece}`)
    }
  }
  const works = ['a', 'b', 'c'].map(work)
  const counts: number[] = []
  while (pieces.length < 6) {
    await turn()
    counts.push(pieces.length)
  }
  await Promise.all(works)
  expect(pieces).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  const steps = counts.map((count, at) => count - (counts[at - 1] ?? 0))
  expect(Math.max(...steps)).toBe(1)
})
