/** Cancels builds whose makers have lost the right to them while they waited. */
import { inArray } from 'drizzle-orm'
import { deployments } from '../../../stores/db/schema/projects.ts'
import { members } from '../../../stores/db/schema/teams.ts'
import { makerColumns, makerEndReason, ofMaker } from '../../auth/maker-right.ts'
import { endWhere } from './end.ts'

/**
 * Of these builds, which are locked, cancels those whose maker may not make them any more: who isn't in the
 * team, doesn't see the project, or, for the commit of a fork, is no owner. Resolves to the ids of the
 * others.
 */
export async function cancelWithoutRight(
  deps: Omit<Parameters<typeof endWhere>[0], 'origin'>,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const made = await deps.tx
    .select({
      id: deployments.id,
      projectId: deployments.projectId,
      untrusted: deployments.untrusted,
      ...makerColumns,
    })
    .from(deployments)
    .leftJoin(members, ofMaker(deployments))
    .where(inArray(deployments.id, ids))
  const lost = made.filter(({ projectId, untrusted, ...maker }) =>
    makerEndReason(maker, { role: untrusted ? 'owner' : 'member', projectId }),
  )
  if (lost.length === 0) return ids
  const isLost = inArray(
    deployments.id,
    lost.map(({ id }) => id),
  )
  await endWhere({ ...deps, origin: null }, isLost, { state: 'canceled', reason: null, message: null })
  return ids.filter((id) => lost.every((each) => each.id !== id))
}
