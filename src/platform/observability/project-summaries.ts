/** Projects at a glance: what is live, what is newest, and the traffic of the last day. */
import { asc, desc, sql } from 'drizzle-orm'
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { afterName, type Page, pageOf } from '../../stores/db/page.ts'
import { address, integer, timeMs } from '../../stores/db/record-fields.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Scope } from '../auth/scope.ts'
import { stateSchema } from '../deployments/state.ts'
import { siteUrl } from '../projects/host-label.ts'
import { targetSchema } from '../projects/output.ts'
import { showsProduction } from '../projects/production-domains.ts'
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

export const projectSummarySchema = z.object({
  id: idSchema('project'),
  name: z.string(),
  production_url: address,
  domains: z
    .array(z.string())
    .meta({ description: `The first ${maxDomains} domains, by name, that serve its production` }),
  live: liveSchema.nullable(),
  latest: latestSchema.nullable().meta({ description: 'The newest deployment' }),
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
  from ${deployments} where ${deployments.projectId} = ${projects}.id
  order by ${desc(deployments.createdMs)}, ${desc(deployments.id)} limit 1)`

const noTraffic: LastDay = { requests: 0, errors: 0, byHour: Array.from({ length: 24 }, () => 0) }

type Deps = { store: Store; sitesUrl: string; nowMs: () => number }

/**
 * The projects that the caller sees, by name; `q` filters by a part of the name.
 * @throws AppError `invalid_cursor`.
 */
export async function listProjectSummaries(
  { store: { db }, sitesUrl, nowMs }: Deps,
  scope: Scope,
  { limit, cursor, q }: { limit: number; cursor?: string | undefined; q?: string | undefined },
): Promise<Page<ProjectSummary>> {
  const after = afterName(cursor, projects.name)
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      host: projects.productionHost,
      domains: serving,
      live,
      latest,
    })
    .from(projects)
    .where(pageOfNames(scope, q, after, limit + 1))
    .orderBy(asc(projects.name))
    .limit(limit + 1)
  const page = pageOf(rows, limit, (row) => [row.name])
  const ids = page.data.map(({ id }) => id)
  const traffic = await readLastDayByHour(db, ids, nowMs())
  const data = page.data.map(({ host, ...row }) => {
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
