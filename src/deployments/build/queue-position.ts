/** How far a deployment is from being built. */
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { deployments } from '../../db/schema/projects.ts'

/** 1 for the one that is built next, null where it doesn't wait; only what waits has to be counted for it. */
export const queuePosition = sql<number | null>`case when ${deployments.state} = 'queued' then (
  select count(*) from ${deployments} as ahead where ahead.state = 'queued'
    and (ahead.created_ms, ahead.id) <= (${deployments.createdMs}, ${deployments.id})) end`.mapWith(
  (count: unknown) => (count === null ? null : Number(count)),
)

/** The position of one deployment, also of one that the transaction has just inserted. */
export async function findQueuePosition(tx: Database, id: string): Promise<number | null> {
  const [row] = await tx.select({ queuePosition }).from(deployments).where(eq(deployments.id, id))
  return row?.queuePosition ?? null
}
