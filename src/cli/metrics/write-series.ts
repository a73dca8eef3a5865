/** Formats a metric over time: a sentence and a chart at a terminal, a line per step otherwise. */
import type { Io } from '../io.ts'
import { age, count, localTime, size } from '../terminal/format.ts'
import { warn, write } from '../terminal/output.ts'
import { joined, style } from '../terminal/text.ts'
import { type Chart, drawChart, type Point } from './chart.ts'

export type Series = { metric: string; unit: string; step_ms: number; points: Point[] }

const chartHeight = 8

/** The width of a terminal that doesn't report one. */
const usualWidth = 80

const dayMs = 24 * 3_600_000

/**
 * Writes the metric of `of`: a project's name, or all projects. Into a pipe, steps without anything are left
 * out.
 */
export function writeSeries(io: Pick<Io, 'stdout' | 'stderr' | 'env'>, series: Series, of: string): void {
  if (io.stdout.isTTY) {
    const { lines, stepsPerBar } = chartOf(series, io.stdout.columns || usualWidth)
    const bar = stepsPerBar > 1 ? `, a bar is ${age(0, stepsPerBar * series.step_ms)}` : ''
    write(io, style(io, 'bold', `${of}: ${summaryOf(series)}${bar}`))
    for (const line of lines) write(io, line)
    warnOfUncounted(io, series)
    return
  }
  const points = series.points.filter(([, value]) => (isLatency(series) ? value !== null : value))
  if (points.length === 0) warn(io, `${of}: ${summaryOf(series)}`)
  for (const [timeMs, value] of points) write(io, joined([localTime(timeMs), String(value)], '\t'))
  warnOfUncounted(io, series)
}

/** Steps with responses that a version before counted without their status. */
function warnOfUncounted(io: Pick<Io, 'stderr'>, series: Series): void {
  const steps = isLatency(series) ? 0 : series.points.filter(([, value]) => value === null).length
  if (steps === 0) return
  warn(
    io,
    `Without ${count(steps)} ${steps === 1 ? 'step' : 'steps'} from before responses were counted by status.`,
  )
}

/** A summary in words; percentiles of steps can't be combined, so for them it gives the range. */
function summaryOf(series: Series): string {
  const { metric, step_ms: stepMs, points } = series
  const name = metric.replace('_', isLatency(series) ? '_' : ' of ')
  const label = labelOf(series)
  const known = points.flatMap(([, value]) => value ?? [])
  const [first] = points
  const since = first ? ` since ${localTime(first[0]).slice(0, 16).replace('T', ' ')}` : ''
  const step = age(0, stepMs)
  const most = Math.max(0, ...known)
  if (known.length === 0 || (most === 0 && !isLatency(series))) return `no ${name}${since}`
  if (isLatency(series)) {
    return `${metric} between ${label(Math.min(...known))} and ${label(most)}${since}, in steps of ${step}`
  }
  const total = known.reduce((sum, value) => sum + value, 0)
  const whole =
    metric === 'bytes' ? size(total) : `${count(total)} ${total === 1 ? name.replace(/s\b/, '') : name}`
  return `${whole}${since}, at most ${label(most)} in ${step}`
}

function chartOf(series: Series, width: number): Chart {
  const { points } = series
  const spanMs = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)
  return drawChart(points, {
    width,
    height: chartHeight,
    valueLabel: labelOf(series),
    timeLabel: (timeMs) =>
      spanMs <= 2 * dayMs ? localTime(timeMs).slice(11, 16) : localTime(timeMs).slice(5, 10),
    join: isLatency(series)
      ? (values) => Math.max(0, ...values)
      : (values) => values.reduce((sum, value) => sum + value, 0),
  })
}

function isLatency({ unit }: Series): boolean {
  return unit === 'ms'
}

function labelOf({ metric, unit }: Series): (value: number) => string {
  if (metric === 'bytes') return size
  if (unit === 'ms') return (value) => `${rounded(value)} ms`
  return short
}

/** With a suffix for thousands: `950`, `1.2k`, `34M`. */
function short(value: number): string {
  let rest = value
  let unit = ''
  for (const larger of ['k', 'M', 'G']) {
    if (rest < 1_000) break
    rest /= 1_000
    unit = larger
  }
  return `${rounded(rest)}${unit}`
}

/** With one decimal below ten, none above. */
function rounded(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}
