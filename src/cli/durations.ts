/** Times and durations on the command line. */
import { InvalidArgumentError, Option } from 'commander'

const unitsMs = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** Milliseconds of `90s`, `15m`, `1h` or `7d`; undefined for anything else. */
function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitsMs.get(unit) ?? 0)
}

/** An option for a time: a duration ago, or a date. Parsed to Unix milliseconds. */
export function sinceOption(description: string): Option {
  return new Option('--since <time>', `${description}: 90s, 15m, 1h, 7d ago, or a date`).argParser(
    (text: string) => {
      const ago = readDuration(text)
      const timeMs = ago === undefined ? Date.parse(text) : Date.now() - ago
      if (timeMs >= 0) return timeMs
      throw new InvalidArgumentError(
        'It should be like 90s, 15m, 1h, 7d, or a date such as 2026-03-01T12:00Z.',
      )
    },
  )
}

/** An option for a duration. Parsed to milliseconds. */
export function durationOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    const durationMs = readDuration(text)
    if (durationMs) return durationMs
    throw new InvalidArgumentError('It should be like 5m, 1h, 1d.')
  })
}
