/** Looks again and again for families that have changed, in case the news of one was lost. */
import { desc, sql } from 'drizzle-orm'
import { within } from '../../async/within.ts'
import type { Database } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import { registrableDomains } from '../../db/schema/domains.ts'

export type Change = { name: string; serial: number }

/** A change is answered within a second of its commit, the look and the loading included. */
const everyMs = 400

/** For one look, in milliseconds. */
const limitMs = 3_000

/** Longer than a transaction takes from saying when it changes something to its commit. */
const slackMs = 60_000

/** When more have changed, there is no telling which. */
const maxChanges = 10_000

type Options = {
  lookUps: Database
  /** Whether anything is in memory that may have changed. */
  isNeeded: () => boolean
  compare: (changes: Change[]) => void
  forgetAll: () => void
  /** Milliseconds of a clock that never jumps. */
  now: () => number
}

/** Starts to look; `lookNow` doesn't wait for the next time. */
export function watchSerials({ lookUps, isNeeded, compare, forgetAll, now }: Options): {
  lookNow(): void
  stop(): void
} {
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isStopped = false
  /** When the last look began that succeeded. */
  let lookedMs = now()
  /** What was newest when there were too many: they are not forgotten at each look. */
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
    // While the database is away what is in memory is answered; the next look goes back to the last one.
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

const changesQuery = prepared((db) =>
  db
    .select({ name: registrableDomains.name, serial: registrableDomains.serial })
    .from(registrableDomains)
    .where(
      sql`${registrableDomains.changedMs} > (extract(epoch from now()) * 1000)::bigint - ${sql.placeholder('sinceMs')}::bigint`,
    )
    .orderBy(desc(registrableDomains.changedMs))
    .limit(maxChanges)
    .prepare('dns_changes'),
)
