/**
 * Holds the collection of blobs while a backup copies them: a lease in the database, which every node
 * respects.
 */
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { databaseMs } from '../db/database-clock.ts'
import { turns } from '../db/schema/turns.ts'

/** A hold ends this long after it was last extended, so that a dead backup doesn't stop collection. */
export const holdMs = 60_000

/** Its row among the turns: until then no node has a turn to collect. */
const task = 'hold the collection of blobs'

/** Arbitrary, but the same on every node. */
const advisoryLock = 7_368_204

const untilMs = sql`${databaseMs} + ${holdMs}`

/** A time further ahead was written before the clock was set back, and doesn't count. */
const isValid: SQL | undefined = and(
  gt(turns.nextMs, databaseMs),
  sql`${turns.nextMs} <= ${databaseMs} + ${2 * holdMs}`,
)

/**
 * Begins a hold. Once it resolves, every round of collection that had begun before is committed: a snapshot
 * taken from now on refers to no blob that one is about to remove.
 */
export async function beginHold(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await lock(tx, sql`pg_advisory_xact_lock(${advisoryLock}::bigint)`)
    await tx
      .insert(turns)
      .values({ task, nextMs: untilMs })
      .onConflictDoUpdate({ target: turns.task, set: { nextMs: untilMs } })
  })
}

/** Extends a hold, also one of several. False if it has ended: blobs may have been collected since. */
export async function extendHold(db: Database): Promise<boolean> {
  const extended = await db
    .update(turns)
    .set({ nextMs: untilMs })
    .where(and(eq(turns.task, task), isValid))
    .returning({ task: turns.task })
  return extended.length > 0
}

/** Whether blobs may not be collected now; a hold that begins later waits for the end of this transaction. */
export async function isHeld(tx: Database): Promise<boolean> {
  await lock(tx, sql`pg_advisory_xact_lock_shared(${advisoryLock}::bigint)`)
  const held = await tx
    .select({ task: turns.task })
    .from(turns)
    .where(and(eq(turns.task, task), isValid))
  return held.length > 0
}

async function lock(tx: Database, call: SQL): Promise<void> {
  await tx.select({ locked: sql`${call}::text` }).from(sql`(values (1)) as once`)
}
