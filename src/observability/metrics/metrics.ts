/** The traffic of a team, or of one of its projects, as a series of numbers. */
import type { Database } from '../../db/open.ts'
import { findProjectId } from '../../projects/read.ts'
import { addFormatted, clearLatencies, createLatencies, percentile } from './latencies.ts'
import { type Asked, planRange } from './range.ts'
import { type Range, readLatencies, readSums } from './read.ts'
import { dayMs, floorTo, minuteMs } from './spans.ts'

const sums = ['requests', 'bytes', 'errors'] as const
const percents = { latency_p50: 50, latency_p95: 95, latency_p99: 99 } as const

type Sum = (typeof sums)[number]
type Percentile = keyof typeof percents

export const metricNames = [...sums, 'latency_p50', 'latency_p95', 'latency_p99'] as const

export const metricUnits = ['requests', 'bytes', 'ms'] as const

export type Metrics = {
  metric: Sum | Percentile
  unit: (typeof metricUnits)[number]
  step_ms: number
  /** Times are starts of steps; a latency is null where nothing was asked for. */
  points: [timeMs: number, value: number | null][]
}

type Deps = { db: Database; nowMs: () => number; metricsDays: number }

/**
 * The series of `metric` for the whole team, or its project of this name or id.
 * @throws AppError `project_not_found`, `invalid_input`.
 */
export async function readMetrics(
  { db, nowMs, metricsDays }: Deps,
  teamId: string,
  { metric, project, ...asked }: Asked & { metric: Metrics['metric']; project?: string | undefined },
): Promise<Metrics> {
  const range = planRange(asked, nowMs(), metricsDays)
  const scopeId = project === undefined ? teamId : await findProjectId(db, teamId, project)
  const valueAt = isSum(metric)
    ? await sumsAt(db, scopeId, range, metric)
    : await percentilesAt(db, scopeId, range, percents[metric])
  const points: Metrics['points'] = []
  for (let timeMs = range.fromMs; timeMs < range.toMs; timeMs += range.stepMs) {
    points.push([timeMs, valueAt(timeMs)])
  }
  return { metric, unit: unitOf(metric), step_ms: range.stepMs, points }
}

/** What the team's sites answered in the last 24 hours. */
export async function readLastDay(db: Database, teamId: string, nowMs: number): Promise<Record<Sum, number>> {
  const range = { fromMs: floorTo(minuteMs, nowMs - dayMs), toMs: nowMs + 1, stepMs: dayMs }
  const total = { requests: 0, bytes: 0, errors: 0 }
  for (const each of (await readSums(db, teamId, range)).values()) {
    for (const sum of sums) total[sum] += each[sum]
  }
  return total
}

function isSum(metric: Metrics['metric']): metric is Sum {
  return metric in percents === false
}

function unitOf(metric: Metrics['metric']): Metrics['unit'] {
  if (metric === 'bytes') return metric
  return isSum(metric) ? 'requests' : 'ms'
}

async function sumsAt(db: Database, scopeId: string, range: Range, sum: Sum) {
  const found = await readSums(db, scopeId, range)
  return (timeMs: number) => found.get(timeMs)?.[sum] ?? 0
}

async function percentilesAt(db: Database, scopeId: string, range: Range, percent: number) {
  const found = await readLatencies(db, scopeId, range)
  const latencies = createLatencies()
  return (timeMs: number) => {
    clearLatencies(latencies)
    for (const text of found.get(timeMs) ?? []) addFormatted(latencies, text)
    const value = percentile(latencies, percent)
    // More digits than these would not be certain.
    return value === null ? null : Number(value.toPrecision(4))
  }
}
