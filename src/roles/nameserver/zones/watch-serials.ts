/** Polls for changed families, in case a notification was lost. */
import { desc, sql } from 'drizzle-orm'
import { within } from '../../../lib/async/within.ts'
import type { Database } from '../../../stores/db/database.ts'
import { prepared } from '../../../stores/db/prepared.ts'
import { registrableDomains } from '../../../stores/db/schema/domains.ts'

export type Change = { name: string; serial: number }

/** A change is served within a second of its commit, including the poll and the load. */
const everyMs = 400

/** The timeout of one poll, in milliseconds. */
const limitMs = 3_000

/** Longer than a transaction takes from choosing its timestamp to its commit. */
const slackMs = 60_000

/** With more changes than this, everything is evicted. */
const maxChanges = 10_000

type Options = {
  lookUps: Database
  /** Whether anything is in memory that may have changed. */
  isNeeded: () => boolean
  compare: (changes: Change[]) => void
  forgetAll: () => void
  /** Milliseconds of a monotonic clock. */
  now: () => number
}

/** Starts polling; `lookNow` polls at once. */
export function watchSerials({ lookUps, isNeeded, compare, forgetAll, now }: Options): {
  lookNow(): void
  stop(): void
} {
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isStopped = false
  /** When the last successful poll began. */
  let lookedMs = now()
  /** The newest change when there were too many, so that they aren't evicted again at each poll. */
  let tooMany: string | undefined

  async function look(): Promise<void> {
    const startedMs = now()
    if (isNeeded()) {
      const sinceMs = Math.ceil(startedMs - lookedMs + slackMs)
      const changes = await changesQuery(lookUps).execute({ sinceMs })
      if (changes.length < maxChanges) compare(changes)
      else forgetUnlessSeen(`${changes[0]?.name} ${changes[0]?.serial}`)
    }
    lookedMs = startedMs
  }

  function forgetUnlessSeen(newest: string): void {
    if (tooMany !== newest) forgetAll()
    tooMany = newest
  }

  async function lookNow(): Promise<void> {
    if (isLooking || isStopped) return
    clearTimeout(timer)
    isLooking = true
    // While the database is unavailable, answers come from memory; the next poll starts where the last one
    // ended.
    await within(limitMs, look(), () => {}).catch(() => {})
    isLooking = false
    schedule()
  }

  function schedule(): void {
    if (!isStopped) timer = setTimeout(lookNow, everyMs)
  }

  schedule()
  return {
    lookNow,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

const databaseMs = sql`(extract(epoch from now()) * 1000)::bigint`

const changesQuery = prepared((db) =>
  db
    .select({ name: registrableDomains.name, serial: registrableDomains.serial })
    .from(registrableDomains)
    .where(sql`${registrableDomains.changedMs} > ${databaseMs} - ${sql.placeholder('sinceMs')}::bigint`)
    .orderBy(desc(registrableDomains.changedMs))
    .limit(maxChanges)
    .prepare('dns_changes'),
)
