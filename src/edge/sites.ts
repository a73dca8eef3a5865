/** Which deployment a host's label stands for right now: one row, cached until it changes. */

import { eq, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { hosts } from '../db/schema/hosts.ts'
import { deployments, projects } from '../db/schema/projects.ts'
import type { Store } from '../db/store.ts'
import { createFreshCache } from '../fresh-cache.ts'

export type Site = {
  label: string
  teamId: string
  projectId: string
  spa: boolean
  isProtected: boolean
  /** SHA-256 of the project's bypass secret, in hex; null where none was set. */
  bypassSha256: string | null
  bypassVersion: number
  deploymentId: string | null
  /** Null as long as there is nothing to serve. */
  manifestId: number | null
}

export type Sites = {
  /** The site if no query is needed to know it; its `value` is undefined for a label that nobody has. */
  peek(label: string): { value: Site | undefined } | undefined
  get(label: string): Promise<Site | undefined>
  stop(): void
}

/** A lost notification must not matter for more than a second. */
const maxAgeMs = 900
const maxLabels = 10_000

/** Sites by label, never older than what this node has been told of. */
export function createSites({ lookUps, changes }: Store): Sites {
  const cache = createFreshCache<Site | undefined>({
    maxAgeMs,
    maxEntries: maxLabels,
    load: async (label) => toSite(label, (await siteQuery(lookUps).execute({ label }))[0]),
  })
  const stop = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'host') cache.forget(id)
      // A label that nobody had may have become the project's.
      if (kind === 'project') cache.forgetWhere((site) => site === undefined || site.projectId === id)
      if (kind === 'deployment') cache.forgetWhere((site) => site === undefined || site.deploymentId === id)
    },
    missed: cache.forgetAll,
  })
  return { peek: cache.peek, get: cache.get, stop }
}

const siteQuery = prepared((db) =>
  db
    .select({
      teamId: hosts.teamId,
      pinnedDeploymentId: hosts.deploymentId,
      project: {
        id: projects.id,
        spa: projects.spa,
        protection: projects.protection,
        bypassSha256: projects.bypassSha256,
        bypassVersion: projects.bypassVersion,
      },
      deployment: { id: deployments.id, state: deployments.state, manifestId: deployments.manifestId },
    })
    .from(hosts)
    .leftJoin(projects, eq(projects.id, hosts.projectId))
    .leftJoin(
      deployments,
      eq(deployments.id, sql`coalesce(${hosts.deploymentId}, ${projects.productionDeploymentId})`),
    )
    .where(eq(hosts.label, sql.placeholder('label')))
    .prepare('edge_site'),
)

type Row = Awaited<ReturnType<ReturnType<typeof siteQuery>['execute']>>[number]

function toSite(label: string, row: Row | undefined): Site | undefined {
  if (!row?.project) return undefined
  const { teamId, pinnedDeploymentId, project, deployment } = row
  return {
    label,
    teamId,
    projectId: project.id,
    spa: project.spa,
    isProtected:
      project.protection === 'all' || (project.protection === 'preview' && pinnedDeploymentId !== null),
    bypassSha256: project.bypassSha256,
    bypassVersion: project.bypassVersion,
    deploymentId: deployment?.id ?? null,
    manifestId: deployment?.state === 'ready' ? deployment.manifestId : null,
  }
}
