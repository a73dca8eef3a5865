/** The database's time, which all nodes share, independent of this machine's clock. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { databaseMs } from '../db/database-clock.ts'

/** How often the database is queried; between queries a monotonic clock counts on. */
const pollMs = 10_000

/** Slower responses are too imprecise. */
const maxAskedMs = 1_000

export type Clock = { nowMs: () => number; stop(): void }

/**
 * A clock that follows the database's, counted on by a monotonic clock: so neither a wrong clock of this
 * machine nor a change of it has any effect. @throws the database's error at the first query.
 */
export async function followDatabase(db: Database, everyMs = pollMs): Promise<Clock> {
  let { offsetMs } = await askOffset(db)

  async function ask(): Promise<void> {
    const measured = await askOffset(db)
    // Differences within the query's own duration are ignored, to avoid jitter.
    if (measured.tookMs < maxAskedMs && Math.abs(measured.offsetMs - offsetMs) > measured.tookMs) {
      offsetMs = measured.offsetMs
    }
  }

  const timer = setInterval(() => {
    // While the database is unavailable the clock counts on.
    ask().catch(() => {})
  }, everyMs).unref()
  return {
    nowMs: () => Math.floor(performance.now() + offsetMs),
    stop: () => clearInterval(timer),
  }
}

const answerSchema = z.coerce.number()

/** The offset to the monotonic clock, and the duration of the query. */
async function askOffset(db: Database): Promise<{ offsetMs: number; tookMs: number }> {
  const beforeMs = performance.now()
  const [row] = await db.select({ ms: databaseMs }).from(sql`(values (1)) as once`)
  const afterMs = performance.now()
  return { offsetMs: answerSchema.parse(row?.ms) - (beforeMs + afterMs) / 2, tookMs: afterMs - beforeMs }
}
