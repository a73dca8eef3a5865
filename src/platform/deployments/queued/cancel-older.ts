/** Cancels queued builds of a branch that a newer push has made superfluous. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { deployments } from '../../../stores/db/schema/projects.ts'
import type { Store } from '../../../stores/db/store.ts'
import { type Deployer, originOf } from '../../callers/actor.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { endWhere } from './end.ts'

type Deps = SiteUrls & { store: Store; nowMs: () => number }

type Pushed = { projectId: string; branch: string; id: string; createdMs: number }

/** Only those that were pushed, too: what somebody deployed by hand goes on. Resolves to how many. */
export async function cancelOlder(
  deps: Deps,
  actor: Deployer,
  { projectId, branch, id, createdMs }: Pushed,
): Promise<number> {
  const isOlder = and(
    eq(deployments.projectId, projectId),
    eq(sql`${deployments.meta} ->> 'branch'`, branch),
    inArray(deployments.target, ['production', 'preview']),
    eq(deployments.state, 'queued'),
    inArray(deployments.sourceKind, ['git', 'forge']),
    sql`(${deployments.createdMs}, ${deployments.id}) < (${createdMs}::bigint, ${id}::text)`,
  )
  return deps.store.transact((tx) => {
    const within = { ...deps, tx, nowMs: deps.nowMs(), origin: originOf(actor) }
    return endWhere(within, isOlder, { state: 'canceled', why: () => null })
  })
}
