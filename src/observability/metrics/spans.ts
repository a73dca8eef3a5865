/** Spans of time that are counted for, and how long each is kept. */

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Minutes are kept this long; what comes later than `latestMs` counts no more, so that a sum always has all its parts. */
export const minutesKeptMs = 3 * dayMs
export const latestMs = 24 * hourMs

/** Hours are kept this long, or as long as days where that is shorter. */
export const hoursKeptMs = 92 * dayMs

/** The start of the span that a time is in. */
export function floorTo(spanMs: number, timeMs: number): number {
  return timeMs - (timeMs % spanMs)
}

/** The first start of a span that isn't before a time. */
export function ceilTo(spanMs: number, timeMs: number): number {
  return Math.ceil(timeMs / spanMs) * spanMs
}
