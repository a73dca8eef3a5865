/** Rows that are due, taken by several workers without waiting for each other. */
import { asc, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/** A table's key, the column that says when a row is due (in milliseconds), and how to lock what is taken. */
type Due = { key: PgColumn; dueMs: PgColumn; lock: 'update' | 'no key update' }

/**
 * The condition that finds up to `limit` rows due at `nowMs`, the earliest first, and none that somebody else
 * has locked.
 */
export function isFirstDue(db: Database, { key, dueMs, lock }: Due, limit: number, nowMs: number): SQL {
  const first = db
    .select({ key })
    .from(key.table)
    .where(lte(dueMs, nowMs))
    .orderBy(asc(dueMs))
    .limit(limit)
    .for(lock, { skipLocked: true })
  // As an array, so that it is looked for once, whatever the plan.
  return sql`${key} = any(array(${first}))`
}
