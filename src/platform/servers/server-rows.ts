/** The rows that say which servers run on which node, each by a lease that its node extends. */
import { asc, lt, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { databaseMs } from '../../stores/db/database-clock.ts'
import { servers } from '../../stores/db/schema/servers.ts'
import type { ServerKey, ServerStatus } from './server-status.ts'

/** For how long a row holds, unless it is written again. */
const leaseMs = 30_000

/** How many rows past their lease are deleted at a time. */
const perStep = 1_000

/**
 * Writes, in one statement, that `node` runs these servers, and none of those `gone`. Servers of deleted
 * deployments are left out.
 */
export async function writeServerRows(
  db: Database,
  node: string,
  { running, gone }: { running: readonly ServerStatus[]; gone: readonly ServerKey[] },
): Promise<void> {
  const rows = running.map((server) => ({
    deployment_id: server.deploymentId,
    target: server.target,
    state: server.state,
    since_ms: server.sinceMs,
    memory_bytes: server.memoryBytes,
    restarts: server.restarts,
  }))
  const keys = gone.map(({ deploymentId, target }) => ({ deployment_id: deploymentId, target }))
  await db.execute(sql`
    with gone as (
      delete from servers using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        as gone (deployment_id text, target text)
      where servers.deployment_id = gone.deployment_id and servers.target = gone.target
        and servers.node = ${node}
    )
    insert into servers (deployment_id, target, node, state, since_ms, memory_bytes, restarts, lease_until_ms)
    select deployment_id, running.target, ${node}, running.state, since_ms, memory_bytes, restarts,
      ${databaseMs} + ${leaseMs}::int
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as running
      (deployment_id text, target text, state text, since_ms bigint, memory_bytes bigint, restarts integer)
    join deployments on deployments.id = deployment_id
    on conflict (deployment_id, target, node) do update set state = excluded.state,
      since_ms = excluded.since_ms, memory_bytes = excluded.memory_bytes, restarts = excluded.restarts,
      lease_until_ms = excluded.lease_until_ms`)
}

/** Deletes up to 1,000 rows whose lease ended before then, the oldest first. Returns how many. */
export async function deleteLostServers(db: Database, beforeMs: number): Promise<number> {
  const lost = lostServers(db, beforeMs)
  const gone = await db.delete(servers).where(sql`ctid = any(array(${lost}))`).returning({ one: sql`1` })
  return gone.length
}

/** The query for the rows to delete next. */
function lostServers(db: Database, beforeMs: number) {
  return db
    .select({ place: sql`ctid` })
    .from(servers)
    .where(lt(servers.leaseUntilMs, beforeMs))
    .orderBy(asc(servers.leaseUntilMs))
    .limit(perStep)
    .for('update', { skipLocked: true })
}
