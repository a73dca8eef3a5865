/** Formats times and sizes for people. */

const units: [unit: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
]

/** The age in its largest unit: `12s`, `5m`, `3h`, `40d`. */
export function age(timeMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - timeMs) / 1000))
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? ['s', 1]
  return `${Math.floor(seconds / length)}${unit}`
}

/** The local time in ISO 8601 with its offset: `2026-03-01T13:00:00.000+01:00`. */
export function localTime(timeMs: number): string {
  const offset = -new Date(timeMs).getTimezoneOffset()
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const clock = new Date(timeMs + offset * 60_000).toISOString().slice(0, -1)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${clock}${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
}

/** The local time to the minute, with its day unless that is today: `13:00`, `2026-03-01 13:00`. */
export function shortTime(timeMs: number, nowMs: number): string {
  const [day = '', time = ''] = localTime(timeMs).split('T')
  const minute = time.slice(0, 5)
  return localTime(nowMs).startsWith(`${day}T`) ? minute : `${day} ${minute}`
}

/** Bytes in units of 1,024, with one decimal below ten: `512 B`, `1.5 KiB`, `40 MiB`. */
export function size(bytes: number): string {
  let value = bytes
  let unit = 'B'
  for (const larger of ['KiB', 'MiB', 'GiB', 'TiB']) {
    if (value < 1024) break
    value /= 1024
    unit = larger
  }
  return `${unit === 'B' || value >= 10 ? Math.floor(value) : value.toFixed(1)} ${unit}`
}

/** A whole number with thousands separators: `12,345`. */
export function count(number: number): string {
  return number.toLocaleString('en-US')
}
