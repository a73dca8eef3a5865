/** Whether a pack comes too slowly to keep a place that somebody else waits for. */
import type { OfferedTo } from '../../../platform/limits/leases.ts'

/** The window is looked at in so many parts. */
export const ticksInWindow = 30

/** The last ticks, which tell for a team that holds several places while another one holds none. */
const ticksLately = 3

/** The bytes that came before the pack had a place, and the milliseconds that they took. */
type Start = { bytes: number; ms: number }

export type PackPace = {
  came(bytes: number): void
  /** Called at the end of each part of the window: to whom the place of so slow a pack is offered. */
  tick(): OfferedTo | undefined
}

/** A pack is slow while less than `dueBytes` came within a window of `windowMs`. */
export function createPackPace(dueBytes: number, windowMs: number, start: Start): PackPace {
  const begun = Math.min(ticksInWindow, Math.floor((ticksInWindow * start.ms) / windowMs))
  let parts: number[] = Array.from({ length: begun }, () => start.bytes / begun)
  let bytes = 0
  const isSlowFor = (ticks: number) =>
    parts.length >= ticks &&
    parts.slice(-ticks).reduce((sum, each) => sum + each, 0) < (dueBytes * ticks) / ticksInWindow
  return {
    came(more) {
      bytes += more
    },
    tick() {
      parts = [...parts, bytes].slice(-ticksInWindow)
      bytes = 0
      if (isSlowFor(ticksInWindow)) return 'everybody'
      return isSlowFor(ticksLately) ? 'newcomers' : undefined
    },
  }
}
