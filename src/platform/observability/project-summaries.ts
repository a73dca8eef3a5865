/** Projects at a glance: what is live, what is newest, and the traffic of the last day. */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { afterCursor, afterName, type Page, pageOf } from '../../stores/db/page.ts'
import { address, integer, timeMs } from '../../stores/db/record-fields.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { isSeen, type Scope } from '../callers/scope.ts'
import { stateSchema } from '../deployments/state.ts'
import { siteUrl } from '../projects/host-label.ts'
import { showsProduction } from '../projects/production-domains.ts'
import { listProjectsInput } from '../projects/project-input.ts'
import { targetSchema } from '../projects/project-output.ts'
import { pageOfNames } from '../projects/search.ts'
import { type LastDay, readLastDayByHour } from './metrics/last-day.ts'

const maxDomains = 10

const meta = z.record(z.string(), z.string())

const liveSchema = z.object({
  id: idSchema('deployment'),
  created_ms: timeMs,
  live_since_ms: timeMs.nullable(),
  meta,
})

const latestSchema = z.object({
  id: idSchema('deployment'),
  state: stateSchema,
  target: targetSchema,
  created_ms: timeMs,
  meta,
  error: z.object({ reason: z.string(), message: z.string() }).nullable(),
})

export const listSummariesInput = listProjectsInput.extend({
  sort: z.enum(['name', 'activity']).default('name').meta({
    description: '`activity`: the latest deployed first. With `q` they are sorted by name',
  }),
})

export const projectSummarySchema = z.object({
  id: idSchema('project'),
  name: z.string(),
  production_url: address,
  domains: z
    .array(z.string())
    .meta({ description: `The first ${maxDomains} domains, by name, that serve its production` }),
  live: liveSchema.nullable(),
  latest: latestSchema.nullable().meta({ description: 'The newest deployment, but for those of forks' }),
  requests_24h: integer,
  errors_24h: integer,
  requests_by_hour: z.array(integer).length(24).meta({
    description: 'Requests in the last 24 hours of the clock (UTC), of which the last is the current one',
  }),
})

export type ProjectSummary = z.infer<typeof projectSummarySchema>

/** Columns of the project are qualified by hand, since Drizzle omits the table in a query of one table. */
const serving = sql<string[]>`(
  select coalesce(json_agg(name), '[]') from (
    select ${domains.domain} as name from ${domains}
    where ${domains.projectId} = ${projects}.id and ${showsProduction}
    order by ${domains.domain} limit ${sql.raw(String(maxDomains))}) as first)`

const live = sql<ProjectSummary['live']>`(
  select json_build_object('id', ${deployments.id}, 'created_ms', ${deployments.createdMs},
    'live_since_ms', ${deployments.liveSinceMs}, 'meta', ${deployments.meta})
  from ${deployments} where ${deployments.id} = ${projects}.production_deployment_id)`

const latest = sql<ProjectSummary['latest']>`(
  select json_build_object('id', ${deployments.id}, 'state', ${deployments.state},
    'target', ${deployments.target}, 'created_ms', ${deployments.createdMs}, 'meta', ${deployments.meta},
    'error', case when ${deployments.errorReason} is not null then
      json_build_object('reason', ${deployments.errorReason},
        'message', coalesce(${deployments.errorMessage}, '')) end)
  from ${deployments} where ${deployments.projectId} = ${projects}.id and not ${deployments.untrusted}
  order by ${desc(deployments.createdMs)}, ${desc(deployments.id)} limit 1)`

const noTraffic: LastDay = { requests: 0, errors: 0, byHour: Array.from({ length: 24 }, () => 0) }

type Deps = { store: Store; sitesUrl: string; nowMs: () => number }

/**
 * The projects that the caller sees, by name, or the latest deployed first; with `q`, a part of the name, by
 * name.
 * @throws AppError `invalid_cursor`.
 */
export async function listProjectSummaries(
  { store: { db }, sitesUrl, nowMs }: Deps,
  scope: Scope,
  { sort, ...input }: z.infer<typeof listSummariesInput>,
): Promise<Page<ProjectSummary>> {
  const { limit } = input
  const { condition, order, keyOf } =
    sort === 'activity' && input.q === undefined ? byActivity(scope, input) : byName(scope, input)
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      host: projects.productionHost,
      domains: serving,
      live,
      latest,
      activeMs: projects.activeMs,
    })
    .from(projects)
    .where(condition)
    .orderBy(...order)
    .limit(limit + 1)
  const page = pageOf(rows, limit, keyOf)
  const ids = page.data.map(({ id }) => id)
  const traffic = await readLastDayByHour(db, ids, nowMs())
  const data = page.data.map(({ host, activeMs: _, ...row }) => {
    const { requests, errors, byHour } = traffic.get(row.id) ?? noTraffic
    return {
      ...row,
      production_url: siteUrl(sitesUrl, host),
      requests_24h: requests,
      errors_24h: errors,
      requests_by_hour: byHour,
    }
  })
  return { ...page, data }
}

type Input = z.infer<typeof listProjectsInput>
type Row = { id: string; name: string; activeMs: number }

function byName(scope: Scope, { limit, cursor, q }: Input) {
  const after = afterName(cursor, projects.name)
  return {
    condition: pageOfNames(scope, q, after, limit + 1),
    order: [asc(projects.name)],
    keyOf: ({ name }: Row) => [name],
  }
}

function byActivity(scope: Scope, { cursor }: Input) {
  const after = afterCursor('project', cursor, projects.activeMs, projects.id)
  return {
    condition: and(eq(projects.teamId, scope.teamId), isSeen(scope, projects.id), after),
    order: [desc(projects.activeMs), desc(projects.id)],
    keyOf: ({ activeMs, id }: Row) => [activeMs, id],
  }
}
