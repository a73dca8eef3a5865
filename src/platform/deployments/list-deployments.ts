/** A team's deployments by pages, newest first, with filters. */
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { afterCursor, type Page, pageOf } from '../../stores/db/page.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import { idList, type Scope } from '../callers/scope.ts'
import type { EnvTarget } from '../projects/env.ts'
import { projectIdOf } from '../projects/read-project.ts'
import type { ListDeployments } from './deployment-input.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import { type ReadDeps, selectDeployments, toRecord } from './read-deployment.ts'
import { type State, stateSchema } from './state.ts'

/** The filters; `since_ms` is inclusive and `until_ms` exclusive. */
export type DeploymentFilters = Omit<ListDeployments, 'limit' | 'cursor'>

/**
 * The deployments that the caller sees and that match every filter; none for an unknown project.
 * @throws AppError `invalid_cursor`.
 */
export async function listDeployments(
  deps: ReadDeps,
  scope: Scope,
  options: ListDeployments,
): Promise<Page<DeploymentRecord>> {
  const rows = await pageQuery(deps.store.db, scope, options)
  const page = pageOf(rows, options.limit, (row) => [row.created_ms, row.id])
  return { ...page, data: page.data.map((row) => toRecord(deps, row)) }
}

/**
 * The query for the rows of a page, plus one if there are more. The ids are selected from an index alone, and
 * then passed as an array, so that the planner needs no estimates.
 * @throws AppError `invalid_cursor`.
 */
export function pageQuery(db: Database, scope: Scope, { limit, ...options }: ListDeployments) {
  return selectDeployments(db, scope.teamId)
    .where(sql`${deployments.id} = any(array(${newestIds(db, scope, options, limit + 1)}))`)
    .orderBy(...newestFirst)
    .limit(limit + 1)
}

const newestFirst = [desc(deployments.createdMs), desc(deployments.id)]

/** Literal limits: for a parameter the planner would assume a tenth of the table. */
function newestIds(
  db: Database,
  scope: Scope,
  { cursor, target, state, ...filters }: Omit<ListDeployments, 'limit'>,
  count: number,
): SQL {
  const matching = and(
    ...conditions(db, scope, filters),
    afterCursor('deployment', cursor, deployments.createdMs, deployments.id),
  )
  const first = sql`order by ${sql.join(newestFirst, sql`, `)} limit ${sql.raw(String(count))}`
  const isOrdered = target === undefined && state === undefined && filters.branch === undefined
  if (isOrdered && !readsProjects(scope, filters)) {
    return sql`select ${deployments.id} from ${deployments} where ${matching} ${first}`
  }
  const streams = isOrdered
    ? sql`(select) as streams`
    : sql`(values ${streamsOf(target, state)}) as streams (target, state)`
  const inStream = isOrdered
    ? sql`true`
    : sql`${deployments.target} = streams.target and ${deployments.state} = streams.state`
  return sql`
    select newest.id from ${streams}${projectsOf(scope, filters)} cross join lateral (
      select ${deployments.id}, ${deployments.createdMs} from ${deployments}
      where ${matching} and ${inStream}
      ${first}
    ) as newest
    order by newest.created_ms desc, newest.id desc limit ${sql.raw(String(count))}`
}

/** Whether each project of a limited member is read by itself: an index has those of each in order. */
function readsProjects({ projects }: Scope, { project }: { project?: string | undefined }): boolean {
  return projects !== null && project === undefined
}

function projectsOf(scope: Scope, filters: { project?: string | undefined }): SQL {
  if (!readsProjects(scope, filters)) return sql``
  return sql` cross join unnest(${idList(scope.projects ?? [])}) as seen (project_id)`
}

/** Each target with each state that the filters allow: the indexes have the deployments of each in order. */
function streamsOf(target: EnvTarget | undefined, states: State[] = stateSchema.options): SQL {
  const targets = target === undefined ? deployments.target.enumValues : [target]
  return sql.join(
    targets.flatMap((each) => states.map((state) => sql`(${each}::text, ${state}::text)`)),
    sql`, `,
  )
}

function conditions(
  db: Database,
  scope: Scope,
  { project, branch, since_ms, until_ms }: Omit<DeploymentFilters, 'target' | 'state'>,
): (SQL | undefined)[] {
  return [
    ownerOf(db, scope, project),
    branch === undefined ? undefined : sql`(${deployments.meta} ->> 'branch') = ${branch}`,
    since_ms === undefined ? undefined : gte(deployments.createdMs, since_ms),
    until_ms === undefined ? undefined : lt(deployments.createdMs, until_ms),
  ]
}

/** The project's deployments are the team's, and so are those of the projects that a member is limited to. */
function ownerOf(db: Database, scope: Scope, project: string | undefined): SQL {
  if (project !== undefined) return eq(deployments.projectId, projectIdOf(db, scope, project))
  if (scope.projects !== null) return sql`${deployments.projectId} = seen.project_id`
  return eq(deployments.teamId, scope.teamId)
}
