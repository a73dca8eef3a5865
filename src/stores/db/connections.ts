/** Connections of nodes to PostgreSQL; the client itself doesn't report its own. */
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

export const connectionStates = ['active', 'idle', 'idle_in_transaction', 'other'] as const

/**
 * By state, of all nodes on this database: every state, also one that no connection is in. None for the
 * embedded one.
 */
export async function countConnections(db: Database): Promise<{ state: string; count: number }[]> {
  const state = sql<string>`case state when 'active' then 'active' when 'idle' then 'idle'
    when 'idle in transaction' then 'idle_in_transaction' else 'other' end`
  const found = await db
    .select({ state, count: sql`count(*)`.mapWith(Number) })
    .from(sql`pg_stat_activity`)
    .where(sql`datname = current_database() and application_name = 'svc'`)
    .groupBy(sql`1`)
  if (found.length === 0) return []
  const counts = new Map(found.map(({ state, count }) => [state, count]))
  return connectionStates.map((state) => ({ state, count: counts.get(state) ?? 0 }))
}
