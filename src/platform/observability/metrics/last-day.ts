/** The traffic of several projects in the last 24 hours, by hour. */
import type { Database } from '../../../stores/db/database.ts'
import { readScopeSums } from './read-metrics.ts'
import { dayMs, floorTo, hourMs, minuteMs } from './spans.ts'

/**
 * `requests` and `errors` of exactly the last 24 hours; `byHour` has the requests of the last 24 hours of the
 * clock, of which the last is the current one.
 */
export type LastDay = { requests: number; errors: number; byHour: number[] }

const hours = dayMs / hourMs

/** The traffic of each of these projects that had any, by its id. */
export async function readLastDayByHour(
  db: Database,
  projectIds: string[],
  nowMs: number,
): Promise<Map<string, LastDay>> {
  const found = new Map<string, LastDay>()
  if (projectIds.length === 0) return found
  const range = { fromMs: floorTo(minuteMs, nowMs - dayMs), toMs: nowMs + 1, stepMs: hourMs }
  const firstHourMs = floorTo(hourMs, nowMs) - (hours - 1) * hourMs
  for (const { scopeId, stepMs, requests, errors } of await readScopeSums(db, projectIds, range)) {
    const day = found.get(scopeId) ?? {
      requests: 0,
      errors: 0,
      byHour: Array.from({ length: hours }, () => 0),
    }
    found.set(scopeId, day)
    day.requests += requests
    day.errors += errors
    const hour = (stepMs - firstHourMs) / hourMs
    if (hour >= 0) day.byHour[hour] = requests
  }
  return found
}
