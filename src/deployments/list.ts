/** A team's deployments by pages, newest first, narrowed by filters. */
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { afterCursor, type Page, pageOf } from '../db/page.ts'
import { deployments } from '../db/schema/projects.ts'
import type { EnvTarget } from '../projects/env.ts'
import { projectIdOf } from '../projects/read.ts'
import { type ReadDeps, selectDeployments, toRecord } from './read.ts'
import type { DeploymentRecord } from './record.ts'
import { type State, stateSchema } from './state.ts'

/**
 * What a list can be narrowed to; times are Unix milliseconds, `since_ms` included and `until_ms` not. `state` holds
 * each state once.
 */
export type DeploymentFilters = {
  project?: string | undefined
  target?: EnvTarget | undefined
  state?: State[] | undefined
  branch?: string | undefined
  since_ms?: number | undefined
  until_ms?: number | undefined
}

type PageOptions = DeploymentFilters & { limit: number; cursor?: string | undefined }

/**
 * The team's deployments that match every filter; those of an unknown project are none.
 * @throws AppError `invalid_cursor`.
 */
export async function listDeployments(
  { store: { db }, sitesUrl }: ReadDeps,
  teamId: string,
  options: PageOptions,
): Promise<Page<DeploymentRecord>> {
  const rows = await pageQuery(db, teamId, options)
  const page = pageOf(rows, options.limit, (row) => [row.created_ms, row.id])
  return { ...page, data: page.data.map((row) => toRecord(sitesUrl, row)) }
}

/**
 * The query for the rows of a page, and for one more where there is one. Which these are is read from an index alone, and
 * then looked for as an array, so that the planner has nothing to guess, neither for these values nor for all.
 * @throws AppError `invalid_cursor`.
 */
export function pageQuery(db: Database, teamId: string, { limit, ...options }: PageOptions) {
  return selectDeployments(db)
    .where(sql`${deployments.id} = any(array(${newestIds(db, teamId, options, limit + 1)}))`)
    .orderBy(...newestFirst)
    .limit(limit + 1)
}

const newestFirst = [desc(deployments.createdMs), desc(deployments.id)]

/** Limits stand in the text, because of a parameter the planner would guess that it is a tenth of the table. */
function newestIds(
  db: Database,
  teamId: string,
  { cursor, target, state, ...filters }: Omit<PageOptions, 'limit'>,
  count: number,
): SQL {
  const matching = and(
    ...conditions(db, teamId, filters),
    afterCursor('deployment', cursor, deployments.createdMs, deployments.id),
  )
  const first = sql`order by ${sql.join(newestFirst, sql`, `)} limit ${sql.raw(String(count))}`
  if (target === undefined && state === undefined && filters.branch === undefined) {
    return sql`select ${deployments.id} from ${deployments} where ${matching} ${first}`
  }
  return sql`
    select newest.id from (values ${streamsOf(target, state)}) as streams (target, state) cross join lateral (
      select ${deployments.id}, ${deployments.createdMs} from ${deployments}
      where ${matching} and ${deployments.target} = streams.target and ${deployments.state} = streams.state ${first}
    ) as newest
    order by newest.created_ms desc, newest.id desc limit ${sql.raw(String(count))}`
}

/** Each target with each state that the filters leave: of each the deployments stand in order in the indexes. */
function streamsOf(target: EnvTarget | undefined, states: State[] = stateSchema.options): SQL {
  const targets = target === undefined ? deployments.target.enumValues : [target]
  return sql.join(
    targets.flatMap((each) => states.map((state) => sql`(${each}::text, ${state}::text)`)),
    sql`, `,
  )
}

function conditions(
  db: Database,
  teamId: string,
  { project, branch, since_ms, until_ms }: Omit<DeploymentFilters, 'target' | 'state'>,
): (SQL | undefined)[] {
  return [
    // What is of the team's project is the team's.
    project === undefined
      ? eq(deployments.teamId, teamId)
      : eq(deployments.projectId, projectIdOf(db, teamId, project)),
    branch === undefined ? undefined : sql`(${deployments.meta} ->> 'branch') = ${branch}`,
    since_ms === undefined ? undefined : gte(deployments.createdMs, since_ms),
    until_ms === undefined ? undefined : lt(deployments.createdMs, until_ms),
  ]
}
