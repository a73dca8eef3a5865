/** Claims deliveries of forges for a worker, with a lease. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import { isLeased } from '../../../stores/queue/lease.ts'
import { leaseMs } from '../../../stores/queue/queue.ts'

const claimed = {
  id: forgeDeliveries.id,
  teamId: forgeDeliveries.teamId,
  projectId: forgeDeliveries.projectId,
  work: forgeDeliveries.work,
  branch: forgeDeliveries.branch,
  commit: forgeDeliveries.commit,
  pullRequest: forgeDeliveries.pullRequest,
  approvedBy: forgeDeliveries.approvedBy,
  attempts: forgeDeliveries.attempts,
  lost: forgeDeliveries.lost,
}

/** A claimed delivery; `attempts` counts this one, `lost` those before that ended with their worker. */
export type Job = Pick<typeof forgeDeliveries.$inferSelect, keyof typeof claimed>

/** `busy` are the ids of teams that get no more on this node for now. */
type Claim = { worker: string; busy: string[]; limit: number; nowMs: number }

/**
 * At most `limit` that are due, one a team, and of a branch the first that came; those of forks, which have
 * no branch, wait for no other and hold none up.
 */
export async function claimDeliveries(db: Database, { worker, busy, limit, nowMs }: Claim): Promise<Job[]> {
  const isFree = (table: SQL) => sql`${table}.status = 'pending'
    and not ${isLeased(sql`${table}.lease_ms`, { forMs: leaseMs, nowMs })}`
  const due = sql`(
    select id from (
      select distinct on (team_id) id, team_id, due_ms
      from ${forgeDeliveries} as waiting
      where ${isFree(sql`waiting`)} and due_ms <= ${nowMs}::bigint
        and team_id <> all (select jsonb_array_elements_text(${JSON.stringify(busy)}::jsonb))
        and not exists (
          select from ${forgeDeliveries} as earlier
          where earlier.project_id = waiting.project_id and earlier.branch = waiting.branch
            and earlier.status = 'pending'
            and (earlier.received_ms, earlier.id) < (waiting.received_ms, waiting.id))
      order by team_id, due_ms
    ) as firsts
    order by due_ms
    limit ${limit}::int)`
  const locked = sql`array(select id from ${forgeDeliveries} as taken
    where id in ${due} and ${isFree(sql`taken`)} for update skip locked)`
  return db
    .update(forgeDeliveries)
    .set({
      worker,
      leaseMs: nowMs + leaseMs,
      attempts: sql`${forgeDeliveries.attempts} + 1`,
      // Whoever ends an attempt is its worker no more.
      lost: sql`${forgeDeliveries.lost} + (${forgeDeliveries.worker} is not null)::int`,
    })
    .where(sql`${forgeDeliveries.id} = any(${locked})`)
    .returning(claimed)
}

/** Extends the leases, and resolves to the ids of those that are still this worker's. */
export async function extendDeliveries(
  db: Database,
  worker: string,
  ids: string[],
  nowMs: number,
): Promise<string[]> {
  const held = await db
    .update(forgeDeliveries)
    .set({ leaseMs: nowMs + leaseMs })
    .where(and(inArray(forgeDeliveries.id, ids), isHeld(worker)))
    .returning({ id: forgeDeliveries.id })
  return held.map(({ id }) => id)
}

/** Leaves a delivery to others as if it had not been begun, unless it is another worker's already. */
export async function giveBackDelivery(
  db: Database,
  { id, worker, attempts }: { id: string; worker: string; attempts: number },
): Promise<void> {
  await db
    .update(forgeDeliveries)
    .set({ worker: null, leaseMs: 0, attempts: attempts - 1 })
    .where(and(eq(forgeDeliveries.id, id), isHeld(worker)))
}

/** Whether a delivery is this worker's. */
export function isHeld(worker: string): SQL | undefined {
  return and(eq(forgeDeliveries.worker, worker), eq(forgeDeliveries.status, 'pending'))
}
