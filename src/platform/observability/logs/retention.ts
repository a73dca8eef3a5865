/** Deletes log lines past their retention. */
import { and, asc, eq, lt, notExists, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { events } from '../../../stores/db/schema/events.ts'
import { logLines } from '../../../stores/db/schema/logs.ts'
import { deliveries } from '../../../stores/db/schema/webhooks.ts'

const perStep = 1_000

type Deps = { db: Database; beforeMs: number }

type LineKind = (typeof logLines.$inferSelect)['kind']

/** Removes up to 1,000 lines of this kind, the oldest first. Returns how many. */
export async function deleteOldLines(deps: Deps, kind: LineKind): Promise<number> {
  const { db } = deps
  const old = oldLines(deps, kind)
  const gone = await db
    .delete(logLines)
    .where(sql`${logLines.id} = any(array(${old}))`)
    .returning({ id: logLines.id })
  return gone.length
}

/** The query for the lines to delete next. */
export function oldLines({ db, beforeMs }: Deps, kind: LineKind) {
  return db
    .select({ id: logLines.id })
    .from(logLines)
    .where(and(eq(logLines.kind, kind), lt(logLines.timeMs, beforeMs)))
    .orderBy(asc(logLines.timeMs))
    .limit(perStep)
    .for('update', { skipLocked: true })
}

/**
 * Deletes up to 1,000 events with their deliveries, the oldest first, except those with pending deliveries.
 * Returns how many.
 */
export async function deleteOldEvents({ db, beforeMs }: Deps): Promise<number> {
  const pending = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(and(eq(deliveries.eventId, events.id), eq(deliveries.status, sql`'pending'`)))
  const old = db
    .select({ id: events.id })
    .from(events)
    .where(and(lt(events.createdMs, beforeMs), notExists(pending)))
    .orderBy(asc(events.createdMs))
    .limit(perStep)
    .for('update', { of: events, skipLocked: true })
  const gone = await db
    .delete(events)
    .where(sql`${events.id} = any(array(${old}))`)
    .returning({ id: events.id })
  return gone.length
}
