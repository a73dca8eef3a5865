/** Deployments as clients see them. */
import { and, eq, type Placeholder, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { type Scope, sees } from '../callers/scope.ts'
import { domainUrl, type SiteUrls, siteUrl } from '../projects/host-label.ts'
import { type ProductionDomain, productionDomains } from '../projects/production-domains.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import { queuePositionIn } from './queued/turns.ts'
import { serverProcesses, toServerRecord } from './server-state.ts'
import { isFinal } from './state.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A deployment's columns, without its project. */
export const ownColumns = {
  id: deployments.id,
  target: deployments.target,
  state: deployments.state,
  host: deployments.host,
  live_since_ms: deployments.liveSinceMs,
  build: deployments.build,
  server: deployments.server,
  server_processes: serverProcesses,
  error_reason: deployments.errorReason,
  error_message: deployments.errorMessage,
  error_excerpt: deployments.errorExcerpt,
  files: deployments.files,
  bytes: deployments.bytes,
  meta: deployments.meta,
  warnings: deployments.warnings,
  source_kind: deployments.sourceKind,
  source_name: deployments.sourceName,
  redeploy_of: deployments.redeployOf,
  untrusted: deployments.untrusted,
  created_by: deployments.createdBy,
  // With its table: a statement about one table names columns without theirs.
  created_by_name: sql<string | null>`(
    select ${users.name} from ${users} where ${users}.id = ${deployments}.created_by)`,
  branch_hosts: sql<string[]>`(
    select coalesce(json_agg(${hosts.label}), '[]') from ${hosts}
    where ${hosts}.deployment_id = ${deployments}.id and ${hosts}.label <> ${deployments}.host)`,
  created_ms: deployments.createdMs,
  building_ms: deployments.buildingMs,
  ready_ms: deployments.readyMs,
  ended_ms: deployments.endedMs,
}

/** The columns of its project. */
export const projectColumns = {
  project: projects.name,
  production_host: projects.productionHost,
  production_domains: productionDomains,
  preview_ttl_days: projects.previewTtlDays,
}

const live = sql<boolean>`${projects.productionDeploymentId} is not distinct from ${deployments.id}`

const columnsIn = (teamId: string | Placeholder) => ({
  ...ownColumns,
  ...projectColumns,
  live,
  queue_position: queuePositionIn(teamId),
  // Not computed for others.
  production_domains: sql<ProductionDomain[]>`case when ${live} then ${productionDomains} else '[]' end`,
})

/** The query for deployments of this team with all that `toRecord` needs, and the ids of their projects. */
export function selectDeployments(db: Database, teamId: string | Placeholder) {
  return db
    .select({ ...columnsIn(teamId), project_id: deployments.projectId })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
}

type Row = Omit<Awaited<ReturnType<typeof selectDeployments>>[number], 'queue_position' | 'project_id'> & {
  project_id?: string

  /** Omitted for one that isn't queued. */
  queue_position?: number | null
}

/** A row as a record. */
export function toRecord({ sitesUrl, certifiedUrl }: SiteUrls, row: Row): DeploymentRecord {
  const { host, production_host, production_domains, preview_ttl_days, live_since_ms, ...others } = row
  const { project_id: _, branch_hosts, server, server_processes, ...columns } = others
  const { error_reason, error_message, error_excerpt, source_kind, source_name, ...rest } = columns
  const wasLive = live_since_ms !== null
  const expires = preview_ttl_days !== null && row.target === 'preview' && !wasLive && isFinal(row.state)
  return {
    ...rest,
    server: toServerRecord(server, server_processes),
    build: Object.assign(row.build, { start: row.build.start ?? null }),
    live_since_ms,
    source: { kind: source_kind, name: source_name },
    url: siteUrl(sitesUrl, host),
    aliases: [
      ...(row.live ? [siteUrl(sitesUrl, production_host)] : []),
      ...(row.live ? production_domains : []).map(({ domain, certified }) =>
        domainUrl(certified ? certifiedUrl : sitesUrl, domain),
      ),
      ...branch_hosts.map((label) => siteUrl(sitesUrl, label)),
    ],
    rollback_candidate: wasLive && !row.live && row.state === 'ready',
    queue_position: row.queue_position ?? null,
    error:
      error_reason === null
        ? null
        : {
            reason: error_reason,
            message: error_message ?? '',
            ...(error_excerpt && { excerpt: error_excerpt }),
          },
    expires_ms: expires ? row.created_ms + preview_ttl_days * dayMs : null,
  }
}

const byId = prepared((db) =>
  selectDeployments(db, sql.placeholder('teamId'))
    .where(and(eq(deployments.teamId, sql.placeholder('teamId')), eq(deployments.id, sql.placeholder('id'))))
    .prepare('deployment_by_id'),
)

export type ReadDeps = SiteUrls & { store: Store }

/** The error for a deployment that the caller doesn't see, whether or not it exists. */
export function deploymentNotFound(id: string): AppError {
  return new AppError('deployment_not_found', `The team has no deployment ${id}.`)
}

/** The deployment, if the caller sees it. @throws AppError `deployment_not_found`. */
export async function getDeployment(deps: ReadDeps, scope: Scope, id: string): Promise<DeploymentRecord> {
  const [row] = await byId(deps.store.lookUps).execute({ teamId: scope.teamId, id })
  if (!row || !sees(scope, row.project_id)) throw deploymentNotFound(id)
  return toRecord(deps, row)
}
