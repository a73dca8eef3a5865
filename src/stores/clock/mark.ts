/** Stores the latest time at which the installation ran. */
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { clockMark } from '../db/schema/clock.ts'
import { turns } from '../db/schema/turns.ts'

const isMark = eq(clockMark.id, 1)

/** The latest time seen. At first, when something last recurred, or `nowMs` if nothing ever did. */
export async function readMark(db: Database, nowMs: number): Promise<number> {
  const [known] = await db.select({ seenMs: clockMark.seenMs }).from(clockMark).where(isMark)
  if (known) return known.seenMs
  const lastTurnMs = sql`(select max(${turns.nextMs}) from ${turns})`
  await db
    .insert(clockMark)
    .values({ id: 1, seenMs: sql`coalesce(${lastTurnMs}, ${nowMs}::bigint)` })
    .onConflictDoNothing()
  return readMark(db, nowMs)
}

/** Moves the mark forward to `nowMs`, but by at most `mostMs`. */
export async function moveMark(db: Database, nowMs: number, mostMs: number): Promise<void> {
  const isNear = and(lt(clockMark.seenMs, nowMs), gte(clockMark.seenMs, nowMs - mostMs))
  await db.update(clockMark).set({ seenMs: nowMs }).where(and(isMark, isNear))
}

/** Sets the mark, forward or back, since an operator confirmed the time. */
export async function setMark(db: Database, nowMs: number): Promise<void> {
  await db
    .insert(clockMark)
    .values({ id: 1, seenMs: nowMs })
    .onConflictDoUpdate({ target: clockMark.id, set: { seenMs: nowMs } })
}
