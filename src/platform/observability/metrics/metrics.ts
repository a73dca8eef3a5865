/** The traffic of a team, or of one of its projects, as a series of numbers. */
import { z } from 'zod'
import type { Database } from '../../../stores/db/database.ts'
import { integer, timeMs } from '../../../stores/db/record-fields.ts'
import type { Scope } from '../../callers/scope.ts'
import { findProjectId } from '../../projects/read-project.ts'
import { addFormatted, clearLatencies, createLatencies, percentile } from './latencies.ts'
import { metricNames, type sums, totals } from './metric-names.ts'
import type { MetricsOptions } from './metrics-input.ts'
import { planRange } from './range.ts'
import { type Range, readLatencies, readSums, type Sums, type Whose } from './read-metrics.ts'
import { dayMs, floorTo, minuteMs } from './spans.ts'

const percents = { latency_p50: 50, latency_p95: 95, latency_p99: 99 } as const

type Sum = (typeof sums)[number]

const metricUnits = ['requests', 'bytes', 'ms'] as const

/** Described as a list of two, since common tools don't know the tuples of JSON Schema 2020-12. */
const point = z.tuple([timeMs, z.number().nullable()]).meta({
  override: ({ jsonSchema }) => {
    delete jsonSchema.prefixItems
    Object.assign(jsonSchema, { items: { type: ['number', 'null'] }, minItems: 2, maxItems: 2 })
  },
})

export const metricsSchema = z
  .object({
    metric: z.enum(metricNames),
    unit: z.enum(metricUnits),
    step_ms: integer,
    points: z.array(point).meta({
      description:
        'The start of each step and its value; a latency is null where nothing was answered, a count by ' +
        'status where some responses were not counted by status, which earlier versions did not',
    }),
  })
  .meta({ id: 'Metrics' })

export type Metrics = z.infer<typeof metricsSchema>

type Deps = { db: Database; nowMs: () => number; metricsDays: number }

/**
 * The series of `metric` for all projects that the caller sees, or the one of this name or id.
 * @throws AppError `project_not_found`, `invalid_input`.
 */
export async function readMetrics(
  { db, nowMs, metricsDays }: Deps,
  scope: Scope,
  { metric, project, ...requested }: MetricsOptions,
): Promise<Metrics> {
  const range = planRange(requested, nowMs(), metricsDays)
  const whose = project === undefined ? allOf(scope) : await findProjectId(db, scope, project)
  const valueAt = isSum(metric)
    ? await sumsAt(db, whose, range, metric)
    : await percentilesAt(db, whose, range, percents[metric])
  const points: Metrics['points'] = []
  for (let timeMs = range.fromMs; timeMs < range.toMs; timeMs += range.stepMs) {
    points.push([timeMs, valueAt(timeMs)])
  }
  return { metric, unit: unitOf(metric), step_ms: range.stepMs, points }
}

/** A team's own sums have all its projects. */
function allOf({ teamId, projects }: Scope): Whose {
  return projects ?? teamId
}

/** The responses of the sites that the caller sees in the last 24 hours. */
export async function readLastDay(
  db: Database,
  scope: Scope,
  nowMs: number,
): Promise<Record<(typeof totals)[number], number>> {
  const range = { fromMs: floorTo(minuteMs, nowMs - dayMs), toMs: nowMs + 1, stepMs: dayMs }
  const total = { requests: 0, bytes: 0, errors: 0 }
  for (const each of (await readSums(db, allOf(scope), range)).values()) {
    for (const sum of totals) total[sum] += each[sum]
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

async function sumsAt(db: Database, whose: Whose, range: Range, sum: Sum) {
  const found = await readSums(db, whose, range)
  return (timeMs: number) => {
    const counts = found.get(timeMs)
    return counts === undefined ? 0 : counts[columnOf(sum)]
  }
}

/** Errors and responses of 5xx are the same, counted once. */
function columnOf(sum: Sum): keyof Sums {
  return sum === 'responses_5xx' ? 'errors' : sum
}

async function percentilesAt(db: Database, whose: Whose, range: Range, percent: number) {
  const found = await readLatencies(db, whose, range)
  const latencies = createLatencies()
  return (timeMs: number) => {
    clearLatencies(latencies)
    for (const text of found.get(timeMs) ?? []) addFormatted(latencies, text)
    const value = percentile(latencies, percent)
    // More digits would not be significant.
    return value === null ? null : Number(value.toPrecision(4))
  }
}
