/** Reads what is to be known of a deployment's server before it starts. */
import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import {
  type DeploymentServer,
  deployments,
  projects,
  type RuntimeSettings,
} from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import { runtimeOf } from '../projects/runtime-settings.ts'

/** The server of a deployment, as its rows have it. */
export type DeployedServer = {
  deploymentId: string
  teamId: string
  teamSlug: string
  projectId: string
  /** The project's name. */
  project: string
  /** The label of the deployment, and that of its project. */
  host: string
  productionHost: string
  meta: Record<string, string>
  isUntrusted: boolean
  server: DeploymentServer
  /** The manifest of its files. */
  manifestId: number
  runtime: RuntimeSettings
  restartedMs: number
}

/** The most memory of a server whose sources are of somebody outside the team. */
const untrustedBytes = 256 * 1024 * 1024

/** The server of a deployment that is ready; undefined where it has none, or there is none any more. */
export async function readServer(db: Database, deploymentId: string): Promise<DeployedServer | undefined> {
  const [row] = await serverQuery(db, deploymentId)
  if (row?.state !== 'ready' || row.server === null || row.manifestId === null) return undefined
  const { state: _, server, manifestId, runtime: given, ...facts } = row
  const runtime = runtimeOf(given)
  const memoryBytes = row.isUntrusted ? Math.min(runtime.memory_bytes, untrustedBytes) : runtime.memory_bytes
  return { ...facts, server, manifestId, runtime: { ...runtime, memory_bytes: memoryBytes } }
}

function serverQuery(db: Database, deploymentId: string) {
  return db
    .select({
      deploymentId: deployments.id,
      teamId: deployments.teamId,
      teamSlug: teams.slug,
      projectId: deployments.projectId,
      project: projects.name,
      host: deployments.host,
      productionHost: projects.productionHost,
      meta: deployments.meta,
      isUntrusted: deployments.untrusted,
      state: deployments.state,
      server: deployments.server,
      manifestId: deployments.serverManifestId,
      runtime: projects.runtime,
      restartedMs: projects.restartedMs,
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .innerJoin(teams, eq(teams.id, deployments.teamId))
    .where(eq(deployments.id, deploymentId))
}

/**
 * When the servers of each deployment's project were restarted last; without those that are gone.
 */
export async function readRestarts(db: Database, deploymentIds: string[]): Promise<Map<string, number>> {
  const rows = await restartsQuery(db, deploymentIds)
  return new Map(rows.map(({ id, restartedMs }) => [id, restartedMs]))
}

function restartsQuery(db: Database, deploymentIds: string[]) {
  return db
    .select({ id: deployments.id, restartedMs: projects.restartedMs })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(inArray(deployments.id, deploymentIds))
}
