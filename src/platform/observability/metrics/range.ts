/** Decides the steps of a series. */
import { invalidField } from '../../../lib/errors.ts'
import type { RangeInput } from './metrics-input.ts'
import type { Range } from './read-metrics.ts'
import { ceilTo, dayMs, floorTo, hourMs, hoursKeptMs, minuteMs, minutesKeptMs } from './spans.ts'

const maxPoints = 1_500

/** The maximum number of steps by default. */
const usualPoints = 300

const usualMs = dayMs

/** Natural steps of a clock or a calendar. */
const steps = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 6, 12].map((hours) => hours * hourMs),
  ...[1, 7, 30].map((days) => days * dayMs),
]

/**
 * Whole steps, at multiples of their length, that cover the request: by default the last 24 hours, and
 * nothing after the current step.
 * @throws AppError `invalid_input`.
 */
export function planRange(requested: RangeInput, nowMs: number, keptDays: number): Range {
  const untilMs = Math.min(requested.until_ms ?? nowMs + 1, nowMs + 1)
  const sinceMs = requested.since_ms ?? Math.max(untilMs - usualMs, 0)
  if (sinceMs >= untilMs) throw invalidField('since_ms', 'must be before until_ms, and not in the future')
  const oldestMs = floorTo(dayMs, nowMs - keptDays * dayMs)
  if (sinceMs < oldestMs) {
    throw invalidField('since_ms', `must be ${oldestMs} or later: counts are kept for ${keptDays} days`)
  }
  const fits = (stepMs: number) => stepMs % finest(floorTo(stepMs, sinceMs), nowMs) === 0
  const pointsOf = (stepMs: number) => (ceilTo(stepMs, untilMs) - floorTo(stepMs, sinceMs)) / stepMs
  const fitting = (points: number) =>
    steps.find((stepMs) => fits(stepMs) && pointsOf(stepMs) <= points) ?? dayMs
  const stepMs = requested.step_ms ?? fitting(usualPoints)
  if (stepMs % minuteMs !== 0)
    throw invalidField('step_ms', 'must be a whole number of minutes: 60000, 120000, …')
  const fromMs = floorTo(stepMs, sinceMs)
  if (!fits(stepMs)) {
    const finestMs = finest(fromMs, nowMs)
    const what =
      finestMs === hourMs
        ? 'minutes are kept for 3 days, before that hours'
        : 'hours are kept for 92 days, before that days'
    throw invalidField('step_ms', `must be a multiple of ${finestMs} so far back: ${what}`)
  }
  const points = pointsOf(stepMs)
  if (points > maxPoints) {
    const message = `makes ${points} steps, which is more than ${maxPoints}: ${fitting(maxPoints)} fits`
    throw invalidField('step_ms', message)
  }
  return { fromMs, toMs: ceilTo(stepMs, untilMs), stepMs }
}

/** The finest span that is kept for a time. */
function finest(timeMs: number, nowMs: number): number {
  if (timeMs >= nowMs - minutesKeptMs) return minuteMs
  return timeMs >= nowMs - hoursKeptMs ? hourMs : dayMs
}
