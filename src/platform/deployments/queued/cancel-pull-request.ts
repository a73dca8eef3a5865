/** Cancels builds of a pull request of a fork that was closed. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { deployments } from '../../../stores/db/schema/projects.ts'
import { endWhere } from './end.ts'

/** Queued and running ones; what somebody is changing at this moment is waited for. */
export async function cancelPullRequest(
  deps: Parameters<typeof endWhere>[0],
  { projectId, number }: { projectId: string; number: number },
): Promise<void> {
  const unfinished = await deps.tx
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        eq(deployments.target, 'preview'),
        inArray(deployments.state, ['queued', 'building']),
        sql`${deployments.untrusted}`,
        sql`${deployments.meta} ->> 'pull_request' = ${String(number)}`,
      ),
    )
    .orderBy(asc(deployments.id))
    .for('update')
  if (unfinished.length === 0) return
  const ids = unfinished.map(({ id }) => id)
  await endWhere(deps, inArray(deployments.id, ids), { state: 'canceled', why: () => null })
}
