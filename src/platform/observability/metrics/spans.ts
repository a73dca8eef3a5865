/** Time spans of counts, and their retention. */

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * The retention of minutes; counts older than `latestMs` are dropped, so that sums always have all their
 * parts.
 */
export const minutesKeptMs = 3 * dayMs
export const latestMs = 24 * hourMs

/** The retention of hours, if that of days isn't shorter. */
export const hoursKeptMs = 92 * dayMs

/** The start of the span of a time. */
export function floorTo(spanMs: number, timeMs: number): number {
  return timeMs - (timeMs % spanMs)
}

/** The first start of a span at or after a time. */
export function ceilTo(spanMs: number, timeMs: number): number {
  return Math.ceil(timeMs / spanMs) * spanMs
}
