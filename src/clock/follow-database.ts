/** The time of the database, which all nodes on it share, whatever the clock of this machine says. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { databaseMs } from '../db/database-clock.ts'
import type { Database } from '../db/open.ts'

/** How often the database is asked; between two answers the time since the last is counted. */
const askMs = 10_000

/** An answer that took longer says too little of when it was given. */
const maxAskedMs = 1_000

export type Clock = { nowMs: () => number; stop(): void }

/**
 * A clock that goes by the database's. It counts on by what a clock of this machine can't be set to: so neither one that
 * is wrong nor one that is set changes anything here. @throws what the database throws when it is asked first.
 */
export async function followDatabase(db: Database, everyMs = askMs): Promise<Clock> {
  let { offsetMs } = await askOffset(db)

  async function ask(): Promise<void> {
    const asked = await askOffset(db)
    // What differs by less than the answer took is no difference: the time needn't jump to and fro by it.
    if (asked.tookMs < maxAskedMs && Math.abs(asked.offsetMs - offsetMs) > asked.tookMs) {
      offsetMs = asked.offsetMs
    }
  }

  const timer = setInterval(() => {
    // With the database away the time goes on as before.
    ask().catch(() => {})
  }, everyMs).unref()
  return {
    nowMs: () => Math.floor(performance.now() + offsetMs),
    stop: () => clearInterval(timer),
  }
}

const answerSchema = z.coerce.number()

/** What is to be added to the time since this process began, and how long it took to learn that. */
async function askOffset(db: Database): Promise<{ offsetMs: number; tookMs: number }> {
  const beforeMs = performance.now()
  const [row] = await db.select({ ms: databaseMs }).from(sql`(values (1)) as once`)
  const afterMs = performance.now()
  return { offsetMs: answerSchema.parse(row?.ms) - (beforeMs + afterMs) / 2, tookMs: afterMs - beforeMs }
}
