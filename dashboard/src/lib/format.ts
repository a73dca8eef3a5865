/** Numbers, sizes and times for people. */

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** `1536` → `1.5 KiB`. */
export function size(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** Made once, when it is first needed: a formatter takes milliseconds to make. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const compact = once(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }))
const plain = once(() => new Intl.NumberFormat('en'))

/** `1234567` → `1.2M`. */
export const compactNumber = (value: number): string => compact().format(value)

/** `1234567` → `1,234,567`. */
export const wholeNumber = (value: number): string => plain().format(value)

/** `1 file`, `2 files`. */
export const count = (value: number, one: string, several = `${one}s`): string =>
  `${wholeNumber(value)} ${value === 1 ? one : several}`

/** `83000` → `1m 23s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }))

/** `3 min. ago`, `in 2 days`, `just now`. */
export function relativeTime(timeMs: number, nowMs: number): string {
  const difference = timeMs - nowMs
  const [unit, ms] = steps.find(([, each]) => Math.abs(difference) >= each) ?? []
  if (unit === undefined || ms === undefined)
    return Math.abs(difference) < 10_000 ? 'just now' : seconds(difference)
  return relative().format(Math.round(difference / ms), unit)
}

const seconds = (difference: number) => relative().format(Math.round(difference / 1_000), 'second')

const exact = once(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }))

const zone = once(() => exact().resolvedOptions().timeZone)

/** The local date and time, with its zone. */
export function exactTime(timeMs: number): string {
  return `${exact().format(timeMs)} ${zone()}`
}

const dayFormat = once(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }))

/** `23 Nov 2026`, local. */
export const day = (timeMs: number): string => dayFormat().format(timeMs)

// By hand: `Intl` takes tens of milliseconds to begin, and lists have nothing to wait for.
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** `23 Nov, 21:40`, local. */
export function minuteTime(timeMs: number): string {
  const at = new Date(timeMs)
  const time = [at.getHours(), at.getMinutes()].map(twoDigits).join(':')
  return `${at.getDate()} ${months[at.getMonth()]}, ${time}`
}

/** `23 Nov, 21:40:05`, local, with two digits of the day. */
export function clockTime(timeMs: number): string {
  const at = new Date(timeMs)
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')
  return `${twoDigits(at.getDate())} ${months[at.getMonth()]}, ${time}`
}
