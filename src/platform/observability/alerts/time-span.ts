/** Spans of time as words. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A span in its largest unit, rounded down: `12 days`, `1 hour`, `5 minutes`. */
export function spanText(ms: number): string {
  if (ms >= 2 * dayMs) return amount(ms / dayMs, 'day')
  if (ms >= hourMs) return amount(ms / hourMs, 'hour')
  return amount(ms / minuteMs, 'minute')
}

function amount(count: number, unit: string): string {
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}

/** Days with one decimal. */
export function daysOf(ms: number): number {
  return Math.round((ms / dayMs) * 10) / 10
}
