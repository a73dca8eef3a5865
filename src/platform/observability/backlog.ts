/** The work queued for workers, of all teams. */

import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import { deliveries } from '../../stores/db/schema/webhooks.ts'

/** Work that is due: how much, and since when the oldest; null if nothing is. */
export type Waiting = { count: number; sinceMs: number | null }

export type Backlog = {
  builds: Waiting
  deliveries: Waiting
  domainChecks: Waiting
  compressions: Waiting
  /** Running builds. */
  building: number
  /** Deliveries that are due, running, or scheduled for a retry. */
  pendingDeliveries: number
}

/** The maximum count, so that a long queue costs no more than this. */
const maxCounted = 100_000

/** The backlog at `nowMs`, in one query, each part of which reads one index. */
export async function readBacklog(db: Database, nowMs: number): Promise<Backlog> {
  const first = (rows: SQL) => sql`(select ms from (${rows}) as rows limit ${sql.raw(String(maxCounted))})`
  const facts = (rows: SQL, isDue = sql`true`) =>
    sql`(select json_build_array(count(*), count(*) filter (where ${isDue}), min(ms) filter (where ${isDue}))
      from ${first(rows)} as counted)`.mapWith(toFacts)
  const now = sql`${nowMs}::bigint`
  const [row] = await db
    .select({
      builds: facts(sql`select created_ms as ms from ${deployments} where state = 'queued'`),
      building: facts(sql`select lease_until_ms as ms from ${deployments} where state = 'building'`),
      deliveries: facts(
        sql`select due_ms as ms from ${deliveries} where status = 'pending'`,
        sql`ms <= ${now}`,
      ),
      domainChecks: facts(sql`select next_check_ms as ms from ${domains} where next_check_ms <= ${now}`),
      compressions: facts(sql`select encode_after_ms as ms from ${blobs} where encode_after_ms <= ${now}`),
    })
    .from(sql`(select 1) as one`)
  if (!row) throw new Error('A query without a condition returned no row.')
  return {
    builds: row.builds.due,
    deliveries: row.deliveries.due,
    domainChecks: row.domainChecks.due,
    compressions: row.compressions.due,
    building: row.building.all,
    pendingDeliveries: row.deliveries.all,
  }
}

function toFacts([all, count, sinceMs]: [number, number, number | null]): { all: number; due: Waiting } {
  return { all, due: { count, sinceMs } }
}
