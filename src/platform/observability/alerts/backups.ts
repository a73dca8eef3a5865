/** How backups by schedule are: the last good one, and why there is no newer one. */
import { desc, eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { backupSchedules, scheduledBackups } from '../../../stores/db/schema/backups.ts'
import type { Alert } from './alert.ts'
import { spanText } from './time-span.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** The time that making one may take. */
const makingMs = hourMs

/** The words that everybody sees instead of the place. */
export const publicPlace = 'the place of backups'

/** The settings of a schedule. */
export type Schedule = { location: string; everyMs: number }

export type BackupState = {
  location: string
  /** The last good one; null before the first. */
  last: { name: string; finished_ms: number; bytes: number } | null
}

export type BackupWatch = {
  /** Reads it again. Rejects while the database is away. */
  refresh(): Promise<void>
  /** Undefined before the first `refresh`. */
  state(): BackupState | undefined
  alerts(): Alert[]
}

type Known = BackupState & { sinceMs: number; failedMs: number | null; failure: string | null }

/** Watches the schedule of a place. */
export function createBackupWatch(
  { location, everyMs }: Schedule,
  { db, nowMs }: { db: Database; nowMs: () => number },
): BackupWatch {
  let known: Known | undefined

  return {
    async refresh() {
      known = await readState(db, location, nowMs())
    },
    state: () => known && { location, last: known.last },
    alerts() {
      if (!known) return []
      const ageMs = nowMs() - (known.last?.finished_ms ?? known.sinceMs)
      const isLate = ageMs > Math.max(dayMs, everyMs) + makingMs
      return [
        ...(isLate ? [lateAlert(known, ageMs)] : []),
        ...(known.failedMs === null ? [] : [failedAlert(known, nowMs() - known.failedMs)]),
      ]
    },
  }
}

async function readState(db: Database, location: string, nowMs: number): Promise<Known> {
  const [[schedule], [last]] = await Promise.all([
    db.select().from(backupSchedules).where(eq(backupSchedules.location, location)),
    db
      .select({
        name: scheduledBackups.name,
        finished_ms: scheduledBackups.finishedMs,
        bytes: scheduledBackups.bytes,
      })
      .from(scheduledBackups)
      .where(eq(scheduledBackups.location, location))
      .orderBy(desc(scheduledBackups.name))
      .limit(1),
  ])
  const { sinceMs = nowMs, failedMs = null, failure = null } = schedule ?? {}
  return { location, last: last ?? null, sinceMs, failedMs, failure }
}

function lateAlert({ location, last }: Known, ageMs: number): Alert {
  const what = last
    ? `The last backup in ${location} is ${spanText(ageMs)} old`
    : `There is no backup in ${location}`
  return {
    name: 'backup_late',
    place: location,
    figure: hoursOf(ageMs),
    unit: 'hours_old',
    isOfMachine: false,
    publicPlace,
    message: `${what}. See the log of the nodes that have SVC_BACKUP_EVERY, and whether one runs.`,
  }
}

function failedAlert({ location, failure }: Known, agoMs: number): Alert {
  return {
    name: 'backup_failed',
    place: location,
    figure: hoursOf(agoMs),
    unit: 'hours_old',
    isOfMachine: false,
    publicPlace,
    message:
      `The backup to ${location} failed ${spanText(agoMs)} ago: ${failure ?? ''} ` +
      'It is tried again within a quarter of an hour.',
  }
}

/** With one decimal. */
function hoursOf(ms: number): number {
  return Math.round((ms / hourMs) * 10) / 10
}
