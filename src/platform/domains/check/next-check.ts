/** When a domain is checked again: soon while somebody waits for a change, daily in the end. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** This many checks are a minute apart, then the waits double; a domain without problems needs few. */
const quickChecks = 12
const quickChecksWhenWell = 3

type Situation = {
  /** The number of checks since the last change. */
  checks: number
  isWell: boolean
  hasFailed: boolean
  /** From 0 to 1: jitter. */
  random: number
}

/** The wait for the next check, in milliseconds: at most a day. */
export function waitMs({ checks, isWell, hasFailed, random }: Situation): number {
  const longest = hasFailed ? hourMs : dayMs
  return Math.min(longest, waitFor(checks, isWell)) * (1 - random / 10)
}

function waitFor(checks: number, isWell: boolean): number {
  if (isWell) return checks < quickChecksWhenWell ? minuteMs : dayMs
  return minuteMs * 2 ** Math.max(0, checks - quickChecks + 1)
}
