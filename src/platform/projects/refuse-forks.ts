/** Refuses what forks of a project's repository wait for, once it takes none of them any more. */
import { and, eq, isNotNull, or } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { forgeDeliveries } from '../../stores/db/schema/project-repositories.ts'

/** Also what has been approved and isn't deployed yet, whoever is at it. */
export async function refuseForks(
  { tx, nowMs }: { tx: Database; nowMs: number },
  projectId: string,
): Promise<void> {
  const isApproved = and(eq(forgeDeliveries.status, 'pending'), isNotNull(forgeDeliveries.approvedBy))
  await tx
    .update(forgeDeliveries)
    .set({ ...refused, endedMs: nowMs })
    .where(
      and(eq(forgeDeliveries.projectId, projectId), or(eq(forgeDeliveries.status, 'waiting'), isApproved)),
    )
}

const refused = {
  status: 'done',
  outcome: 'Refused: pull requests of forks are not deployed any more.',
  work: null,
  worker: null,
  leaseMs: 0,
} as const
