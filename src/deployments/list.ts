/** A team's deployments by pages, newest first, narrowed by filters. */
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { afterCursor, type Page, pageOf } from '../db/page.ts'
import { deployments } from '../db/schema/projects.ts'
import type { EnvTarget } from '../projects/env.ts'
import { projectIdOf } from '../projects/read.ts'
import { type DeploymentRecord, type ReadDeps, selectDeployments, toRecord } from './read.ts'
import type { State } from './state.ts'

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

/** The query for the rows of a page, and for one more where there is one. @throws AppError `invalid_cursor`. */
export function pageQuery(
  db: Database,
  teamId: string,
  { limit, cursor, state: states = [], ...filters }: PageOptions,
) {
  const matching = and(
    eq(deployments.teamId, teamId),
    ...conditions(db, teamId, filters),
    afterCursor('deployment', cursor, deployments.createdMs, deployments.id),
  )
  return selectDeployments(db)
    .where(states.length === 0 ? matching : inOneOf(states, matching, limit + 1))
    .orderBy(...newestFirst)
    .limit(limit + 1)
}

const newestFirst = [desc(deployments.createdMs), desc(deployments.id)]

/**
 * The condition for the newest `count` that match in each of the states: each of them stands in order in an index. With
 * `in (…)` the planner would have to guess whether to read all rows of these states, or all rows until enough are in one.
 * `count` stands in the text, because of a parameter it would guess that it is a tenth of the table.
 */
function inOneOf(states: State[], matching: SQL | undefined, count: number): SQL {
  const [state, ...others] = states
  if (others.length === 0) return sql`${matching} and ${deployments.state} = ${state}`
  const rows = sql.join(
    states.map((each) => sql`(${each}::text)`),
    sql`, `,
  )
  return sql`${deployments.id} in (
    select newest.id from (values ${rows}) as states (state) cross join lateral (
      select ${deployments.id} from ${deployments}
      where ${matching} and ${deployments.state} = states.state
      order by ${sql.join(newestFirst, sql`, `)} limit ${sql.raw(String(count))}
    ) as newest)`
}

function conditions(db: Database, teamId: string, filters: DeploymentFilters): (SQL | undefined)[] {
  const { project, target, branch, since_ms, until_ms } = filters
  return [
    project === undefined ? undefined : eq(deployments.projectId, projectIdOf(db, teamId, project)),
    target && eq(deployments.target, target),
    branch === undefined ? undefined : sql`(${deployments.meta} ->> 'branch') = ${branch}`,
    since_ms === undefined ? undefined : gte(deployments.createdMs, since_ms),
    until_ms === undefined ? undefined : lt(deployments.createdMs, until_ms),
  ]
}
