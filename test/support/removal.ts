/** Clocks for removals that are always trusted. */
import type { RemovalClock } from '../../src/stores/clock/removal.ts'

/** A removal clock that is trusted at this time. */
export function believed(nowMs: () => number): RemovalClock {
  const time = async () => nowMs()
  return { ask: time, look: time, jumpMs: () => 0 }
}
