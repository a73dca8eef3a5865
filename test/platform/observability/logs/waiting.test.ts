/** How many calls wait for lines, and how often they poll. */
import { expect, it } from 'vitest'
import { countWaiting, pauseMs, whileWaiting } from '../../../../src/platform/observability/logs/waiting.ts'

it('the more calls wait, the less often each polls: together like five, not all at once', () => {
  const looksASecond = (waiting: number) => (waiting * 1_000) / pauseMs(waiting, 0.5)
  expect(pauseMs(1)).toBe(300)
  for (const waiting of [6, 12, 20]) expect(looksASecond(waiting)).toBeLessThanOrEqual(looksASecond(5) + 1e-9)
  expect([pauseMs(20, 0), pauseMs(20, 1)]).toEqual([600, 1_800])
})

it('a team’s calls are counted while they wait', async () => {
  await whileWaiting('a', () =>
    whileWaiting('a', async () => {
      expect([countWaiting('a'), countWaiting('b')]).toEqual([2, 0])
    }),
  )
  expect(countWaiting('a')).toBe(0)
})
