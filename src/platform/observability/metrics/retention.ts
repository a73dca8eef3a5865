/** Deletes counts past their retention, and those of deleted projects and teams. */
import { and, asc, eq, lt, notExists, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { traffic, trafficDue, trafficGone } from '../../../stores/db/schema/metrics.ts'
import { dayMs, hourMs, hoursKeptMs, minuteMs, minutesKeptMs } from './spans.ts'

const perStep = 1_000

/** Nodes may still have written, and summed up, counts of a deleted project. */
const goneKeptMs = hourMs

type Deps = { db: Database; nowMs: number }

/**
 * Deletes up to 1,000 rows past the retention of their kind (days: `keptDays`), the oldest first, except
 * those still to be summed up. Resolves to how many.
 */
export async function deleteOldTraffic({ db, nowMs }: Deps, keptDays: number): Promise<number> {
  const daysKeptMs = keptDays * dayMs
  const hoursMs = Math.max(Math.min(hoursKeptMs, daysKeptMs), minutesKeptMs)
  return (
    (await deleteSpan(db, minuteMs, nowMs - minutesKeptMs, hourMs)) ||
    (await deleteSpan(db, hourMs, nowMs - hoursMs, dayMs)) ||
    deleteSpan(db, dayMs, nowMs - Math.max(daysKeptMs, hoursMs))
  )
}

async function deleteSpan(db: Database, spanMs: number, beforeMs: number, sumMs?: number): Promise<number> {
  const firstDue = db
    .select({ startMs: sql`coalesce(min(${trafficDue.startMs}), ${beforeMs}::bigint)` })
    .from(trafficDue)
    .where(eq(trafficDue.spanMs, sumMs ?? 0))
  const old = db
    .select({ row: sql`traffic.ctid` })
    .from(traffic)
    .where(
      and(eq(traffic.spanMs, spanMs), lt(traffic.startMs, beforeMs), sql`${traffic.startMs} < (${firstDue})`),
    )
    .orderBy(asc(traffic.startMs))
    .limit(perStep)
    .for('update', { skipLocked: true })
  return remove(db, old)
}

/**
 * Removes up to 1,000 rows of projects and teams that are gone, and forgets those when nothing is left.
 * Resolves to how many.
 */
export async function deleteGoneTraffic({ db, nowMs }: Deps): Promise<number> {
  const left = db
    .select({ row: sql`traffic.ctid` })
    .from(trafficGone)
    .innerJoin(traffic, eq(traffic.scopeId, trafficGone.scopeId))
    .limit(perStep)
  const removed = await remove(db, left)
  if (removed > 0) return removed
  const rest = db.select({ one: sql`1` }).from(traffic).where(eq(traffic.scopeId, trafficGone.scopeId))
  await db.delete(trafficGone).where(and(lt(trafficGone.goneMs, nowMs - goneKeptMs), notExists(rest)))
  return 0
}

/** The ctid is the fastest way to a row, and is stable within a statement. */
async function remove(db: Database, rows: SQLWrapper): Promise<number> {
  const gone = await db.delete(traffic).where(sql`ctid = any(array(${rows}))`).returning({ one: sql`1` })
  return gone.length
}
