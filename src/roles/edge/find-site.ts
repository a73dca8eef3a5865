/** Looks up the site of a host: a label of the platform, or a verified domain. */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type HostRedirectStatus, hostRedirectStatuses } from '../../lib/net/redirect-statuses.ts'
import { accessVersion } from '../../platform/projects/access-version.ts'
import type { EnvTarget } from '../../platform/projects/env.ts'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import { isDomain } from './wire/site-host.ts'

/** A label below the sites' domain, or a whole domain. */
export type Site = FileSite | RedirectSite

/** A project's deployment: its files, and what else answers with them. */
export type FileSite = {
  kind: 'files'
  host: string
  teamId: string
  projectId: string
  spa: boolean
  hsts: boolean
  isProtected: boolean
  /** Whether it is the label of a deployment or of a branch. */
  isPreview: boolean
  /** SHA-256 of the project's bypass secret, in hex; null if none is set. */
  bypassSha256: string | null
  bypassVersion: number
  /** Visits that began with an earlier one have ended. */
  accessVersion: number
  hasPassword: boolean
  deploymentId: string | null
  /** Null until there is a deployment to serve. */
  manifestId: number | null
  /** The deployment's own server, which answers what no file does; undefined where it has none. */
  server: { target: EnvTarget } | undefined
}

/** A domain that redirects to another host; it may have a project nevertheless. */
export type RedirectSite = {
  kind: 'redirect'
  host: string
  teamId: string
  projectId: string | null
  deploymentId: null
  to: string
  status: HostRedirectStatus
}

/** The site of a host; undefined if there is none, or the domain isn't verified or has no target. */
export async function findSite(lookUps: Database, host: string): Promise<Site | undefined> {
  if (!isDomain(host)) {
    const [row] = await labelQuery(lookUps).execute({ label: host })
    return row && toFiles(host, row)
  }
  const [row] = await domainQuery(lookUps).execute({ domain: host })
  if (!row) return undefined
  const { teamId, redirectTo: to, redirectStatus } = row
  if (to === null) return toFiles(host, { ...row, pinnedDeploymentId: null })
  const status = hostRedirectStatuses.find((status) => status === redirectStatus) ?? 308
  return {
    kind: 'redirect',
    host,
    teamId,
    projectId: row.project?.id ?? null,
    deploymentId: null,
    to,
    status,
  }
}

const columns = {
  accessVersion,
  project: {
    id: projects.id,
    spa: projects.spa,
    hsts: projects.hsts,
    protection: projects.protection,
    bypassSha256: projects.bypassSha256,
    bypassVersion: projects.bypassVersion,
    hasPassword: sql<boolean>`${projects.passwordHash} is not null`,
  },
  deployment: {
    id: deployments.id,
    state: deployments.state,
    manifestId: deployments.manifestId,
    untrusted: deployments.untrusted,
    spa: deployments.spa,
    hasServer: sql<boolean>`${deployments.server} is not null`,
  },
}

const labelQuery = prepared((db) =>
  db
    .select({ teamId: hosts.teamId, pinnedDeploymentId: hosts.deploymentId, ...columns })
    .from(hosts)
    .innerJoin(teams, eq(teams.id, hosts.teamId))
    .leftJoin(projects, eq(projects.id, hosts.projectId))
    .leftJoin(
      deployments,
      eq(deployments.id, sql`coalesce(${hosts.deploymentId}, ${projects.productionDeploymentId})`),
    )
    .where(eq(hosts.label, sql.placeholder('label')))
    .prepare('edge_site'),
)

const domainQuery = prepared((db) =>
  db
    .select({
      teamId: domains.teamId,
      redirectTo: domains.redirectTo,
      redirectStatus: domains.redirectStatus,
      ...columns,
    })
    .from(domains)
    .innerJoin(teams, eq(teams.id, domains.teamId))
    .leftJoin(projects, and(eq(projects.id, domains.projectId), eq(projects.teamId, domains.teamId)))
    .leftJoin(deployments, eq(deployments.id, projects.productionDeploymentId))
    .where(and(eq(domains.domain, sql.placeholder('domain')), isNotNull(domains.verifiedMs)))
    .prepare('edge_domain'),
)

type Row = Awaited<ReturnType<ReturnType<typeof labelQuery>['execute']>>[number]

function toFiles(host: string, row: Row): FileSite | undefined {
  const { teamId, pinnedDeploymentId, project, deployment } = row
  if (!project) return undefined
  const isPreview = pinnedDeploymentId !== null
  return {
    kind: 'files',
    host,
    teamId,
    projectId: project.id,
    spa: deployment?.spa ?? project.spa,
    hsts: project.hsts,
    isProtected:
      project.protection === 'all' ||
      (project.protection === 'preview' && isPreview) ||
      deployment?.untrusted === true,
    isPreview,
    bypassSha256: project.bypassSha256,
    bypassVersion: project.bypassVersion,
    accessVersion: row.accessVersion,
    hasPassword: project.hasPassword,
    deploymentId: deployment?.id ?? null,
    manifestId: deployment?.state === 'ready' ? deployment.manifestId : null,
    server: deployment?.hasServer ? { target: isPreview ? 'preview' : 'production' } : undefined,
  }
}
