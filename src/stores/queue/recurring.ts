/** Recurring work that runs once for all nodes: each interval has one turn, and one node takes it. */
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { databaseMs } from '../db/database-clock.ts'
import { turns } from '../db/schema/turns.ts'

/** Whether it is this node's turn to run `task`, once per `everyMs`. */
export async function takeTurn(db: Database, task: string, everyMs: number): Promise<boolean> {
  const nextMs = sql`${databaseMs} + ${everyMs}`
  const latestMs = sql`${databaseMs} + 2 * ${everyMs}::bigint`
  const taken = await db
    .insert(turns)
    .values({ task, nextMs })
    .onConflictDoUpdate({
      target: turns.task,
      set: { nextMs },
      // A clock that was set back must not stop the task for long.
      setWhere: sql`${turns.nextMs} <= ${databaseMs} or ${turns.nextMs} > ${latestMs}`,
    })
    .returning({ task: turns.task })
  return taken.length > 0
}
