/** A clock for removals that is believed, whatever it says. */
import type { RemovalClock } from '../../src/clock/removal.ts'

/** What may be removed by this time. */
export function believed(nowMs: () => number): RemovalClock {
  const time = async () => nowMs()
  return { ask: time, look: time, jumpMs: () => 0 }
}
