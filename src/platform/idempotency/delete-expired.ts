/** Deletes expired Idempotency-Keys. */
import { asc, lte, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { idempotencyKeys } from '../../stores/db/schema/idempotency.ts'

const perRound = 1_000

/**
 * Deletes up to 1,000 expired responses, and claims of crashed runs. Returns how many.
 */
export async function deleteExpiredKeys({ db, nowMs }: { db: Database; nowMs: number }): Promise<number> {
  const { key, untilMs } = idempotencyKeys
  const ended = db
    .select({ place: sql`ctid` })
    .from(idempotencyKeys)
    .where(lte(untilMs, nowMs))
    .orderBy(asc(untilMs))
    .limit(perRound)
    .for('update', { skipLocked: true })
  const forgotten = await db
    .delete(idempotencyKeys)
    // As an array, so that the subquery runs once, whatever the plan.
    .where(sql`ctid = any(array(${ended}))`)
    .returning({ key })
  return forgotten.length
}
