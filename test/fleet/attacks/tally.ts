/** Work that goes on until an attack is over, and what came of it. */
import { setTimeout as sleep } from 'node:timers/promises'

/** As many are named. */
const maxNamed = 4

/** Counts outcomes. */
function createTally() {
  const counts = new Map<string, number>()
  return {
    count: (outcome: string) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    /** The most frequent ones, such as `12 × 429, 3 × 200`. */
    text(): string {
      const named = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxNamed)
      return named.map(([outcome, count]) => `${count} × ${outcome}`).join(', ') || 'nothing'
    },
  }
}

type Pace = { atOnce: number; pauseMs: number; signal: AbortSignal }

/**
 * Has so many at once repeat `work`, which gets a number of its own each time, until the signal aborts.
 * Resolves to what came of it.
 */
export async function flood(
  { atOnce, pauseMs, signal }: Pace,
  work: (index: number) => Promise<string>,
): Promise<string> {
  const tally = createTally()
  let last = 0
  const one = async () => {
    while (!signal.aborted) {
      last += 1
      const outcome = await work(last).catch(() => 'cut off')
      if (!signal.aborted) tally.count(outcome)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return tally.text()
}
