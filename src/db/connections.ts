/** Connections of nodes to PostgreSQL; the client itself doesn't report its own. */
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

/** By state, of all nodes on this database. None for the embedded one. */
export async function countConnections(db: Database): Promise<{ state: string; count: number }[]> {
  const state = sql<string>`case state when 'active' then 'active' when 'idle' then 'idle'
    when 'idle in transaction' then 'idle_in_transaction' else 'other' end`
  return db
    .select({ state, count: sql`count(*)`.mapWith(Number) })
    .from(sql`pg_stat_activity`)
    .where(sql`datname = current_database() and application_name = 'svc'`)
    .groupBy(sql`1`)
}
