/** The schedule of backups in the database: which node makes the next one, and what has been made. */
import { and, between, eq, exists, gt, isNull, lte, not, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { backupSchedules, scheduledBackups } from '../../stores/db/schema/backups.ts'
import { isLeased } from '../../stores/queue/lease.ts'
import { leaseMs } from '../../stores/queue/queue.ts'

/** One that failed is tried again after this long, or in the interval if that is shorter. */
const againMs = 15 * 60_000

/** The longest reason that is kept. */
const maxFailure = 1_000

/** A turn to make a backup. */
type Turn = { location: string; holder: string; nowMs: number }

/** Whether it is this node's turn: one is due, and no other node makes it. */
export async function claimBackup(
  db: Database,
  { location, holder, nowMs, everyMs }: Turn & { everyMs: number },
): Promise<boolean> {
  await db.insert(backupSchedules).values({ location, sinceMs: nowMs }).onConflictDoNothing()
  const { failedMs, leaseEndsMs } = backupSchedules
  const pauseMs = Math.min(againMs, everyMs)
  // A clock that was set back must not stop it for long.
  const isRecent = exists(
    db
      .select({ name: scheduledBackups.name })
      .from(scheduledBackups)
      .where(
        and(
          eq(scheduledBackups.location, location),
          between(scheduledBackups.startedMs, nowMs - everyMs + 1, nowMs + everyMs),
        ),
      ),
  )
  const claimed = await db
    .update(backupSchedules)
    .set({ holder, leaseEndsMs: nowMs + leaseMs })
    .where(
      and(
        eq(backupSchedules.location, location),
        or(isNull(leaseEndsMs), sql`not (${isLeased(leaseEndsMs, { forMs: leaseMs, nowMs })})`),
        or(isNull(failedMs), lte(failedMs, nowMs - pauseMs), gt(failedMs, nowMs + pauseMs)),
        not(isRecent),
      ),
    )
    .returning({ location: backupSchedules.location })
  return claimed.length > 0
}

function isHeld({ location, holder }: Turn): SQL | undefined {
  return and(eq(backupSchedules.location, location), eq(backupSchedules.holder, holder))
}

/** Extends the lease; false where another node has it by now. */
export async function extendBackup(db: Database, turn: Turn): Promise<boolean> {
  const held = await db
    .update(backupSchedules)
    .set({ leaseEndsMs: turn.nowMs + leaseMs })
    .where(isHeld(turn))
    .returning({ location: backupSchedules.location })
  return held.length > 0
}

/** The names of the backups that were made by schedule in a place. */
export async function readMade(db: Database, location: string): Promise<string[]> {
  const rows = await db
    .select({ name: scheduledBackups.name })
    .from(scheduledBackups)
    .where(eq(scheduledBackups.location, location))
  return rows.map(({ name }) => name)
}

/** A backup that was made, and the names of all that are in its place now. */
export type MadeBackup = { backup: string; bytes: number; there: string[] }

/** Records a whole backup, and ends the turn. */
export async function recordBackup(
  db: Database,
  turn: Turn,
  made: MadeBackup & { startedMs: number },
): Promise<void> {
  const { location, nowMs } = turn
  const { backup: name, bytes, there, startedMs } = made
  await db.transaction(async (tx) => {
    const row = { location, name, startedMs, finishedMs: nowMs, bytes }
    await tx.insert(scheduledBackups).values(row).onConflictDoNothing()
    await tx
      .delete(scheduledBackups)
      .where(
        and(eq(scheduledBackups.location, location), notInArray(scheduledBackups.name, [name, ...there])),
      )
    await tx
      .update(backupSchedules)
      .set({ holder: null, leaseEndsMs: null, failedMs: null, failure: null })
      .where(isHeld(turn))
  })
}

/** Ends the turn: without a reason the backup was only broken off, and is due at once. */
export async function endBackup(db: Database, turn: Turn, failure: string | undefined): Promise<void> {
  const failed = failure === undefined ? {} : { failedMs: turn.nowMs, failure: failure.slice(0, maxFailure) }
  await db
    .update(backupSchedules)
    .set({ holder: null, leaseEndsMs: null, ...failed })
    .where(isHeld(turn))
}
