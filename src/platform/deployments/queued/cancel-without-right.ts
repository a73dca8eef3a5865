/** Cancels builds whose makers have lost the right to them. */
import { and, asc, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { deployments } from '../../../stores/db/schema/projects.ts'
import { members } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { type MakerEnd, makerColumns, makerEnd, type Need, ofMaker } from '../../callers/maker-right.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { endWhere, perRound } from './end.ts'

const made = {
  id: deployments.id,
  projectId: deployments.projectId,
  untrusted: deployments.untrusted,
  sourceKind: deployments.sourceKind,
  ...makerColumns,
}

type Made = Pick<typeof deployments.$inferSelect, 'projectId' | 'untrusted' | 'sourceKind'>

/**
 * The right that it takes to have a build made: that of making the hook or the policy, or of approving. Null
 * for a push to the project's repository, which goes on when who connected it leaves.
 */
function needOf({ projectId, untrusted, sourceKind }: Made): Need | null {
  if (sourceKind === 'forge' && !untrusted) return null
  const isOwners = untrusted || sourceKind === 'hook' || sourceKind === 'oidc'
  return { role: isOwners ? 'owner' : 'member', projectId }
}

type Lost = { id: string; end: NonNullable<MakerEnd> }

type Selected = Made & { id: string } & Parameters<typeof makerEnd>[0]

function lostOf(rows: Selected[]): Lost[] {
  return rows.flatMap((row) => {
    const need = needOf(row)
    const end = need && makerEnd(row, need)
    return end ? { id: row.id, end } : []
  })
}

/**
 * Cancels those of these builds whose maker may not make them any more: who is not in the team, does not see
 * the project, or, for what only owners do, is no owner. Resolves to the ids of the others.
 */
export async function cancelWithoutRight(
  deps: Omit<Parameters<typeof endWhere>[0], 'origin'>,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await deps.tx
    .select(made)
    .from(deployments)
    .leftJoin(members, ofMaker(deployments))
    .where(inArray(deployments.id, ids))
  const lost = new Map(lostOf(rows).map(({ id, end }) => [id, end]))
  if (lost.size === 0) return ids
  const isLost = and(inArray(deployments.id, [...lost.keys()]), isUnfinished)
  await endWhere({ ...deps, origin: null }, isLost, {
    state: 'canceled',
    why: (id) => lost.get(id) ?? null,
  })
  return ids.filter((id) => !lost.has(id))
}

type Deps = SiteUrls & { store: Store; nowMs: () => number }

/**
 * Cancels up to 100 builds, queued and running ones, that one of these users made and may not make any more.
 * Resolves to whether there may be more.
 */
export async function cancelOfMakers(deps: Deps, userIds: string[]): Promise<boolean> {
  const { store, nowMs } = deps
  const lost = (await unfinishedOf(store.db, userIds)).slice(0, perRound).map(({ id }) => id)
  if (lost.length === 0) return false
  await store.transact(async (tx) => {
    // What is being claimed at this moment is waited for, since it was made with the right of before.
    const held = await tx
      .select({ id: deployments.id })
      .from(deployments)
      .where(and(inArray(deployments.id, lost), isUnfinished))
      .orderBy(asc(deployments.id))
      .for('update')
    const ids = held.map(({ id }) => id)
    await cancelWithoutRight({ ...deps, tx, nowMs: nowMs() }, ids)
  })
  return lost.length === perRound
}

// Literal states, to match the partial index.
const isUnfinished = sql`${deployments.state} in ('queued', 'building')`

/** The builds of these users that have not ended and that they may not make any more. */
async function unfinishedOf(db: Database, userIds: string[]): Promise<Lost[]> {
  const rows = await db
    .select(made)
    .from(deployments)
    .leftJoin(members, ofMaker(deployments))
    .where(and(inArray(deployments.createdBy, userIds), isUnfinished))
  return lostOf(rows)
}
