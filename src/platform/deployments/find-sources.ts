/** The sources of a deployment, for another one. */
import { and, asc, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { needsWorker } from '../../lib/needs-worker.ts'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import type { EnvTarget } from '../projects/env.ts'
import { type FileList, fileListOf } from '../sites/file-list.ts'
import type { CreateDeployment } from './deployment-input.ts'
import { deploymentNotFound } from './read-deployment.ts'

/** `build` and `spa` are the settings that its request gave by itself. */
export type Sources = FileList & {
  build: NonNullable<CreateDeployment['build']>
  spa: boolean | null
  target: EnvTarget
  meta: Record<string, string>
}

/** The build settings for a deployment that was not built, if its request's weren't kept: it stays so. */
const asItIs = { install_command: null, build_command: null, start: null }

/**
 * The sources of the team's deployment `id`, which must be one of the project.
 * @throws AppError `deployment_not_found`, `untrusted`, `sources_gone` for one that was built when sources
 * weren't kept yet.
 */
export async function findSources(
  db: Database,
  { teamId, projectId }: { teamId: string; projectId: string },
  id: string,
): Promise<Sources> {
  const [found] = await db
    .select({
      target: deployments.target,
      meta: deployments.meta,
      build: deployments.build,
      buildGiven: deployments.buildGiven,
      untrusted: deployments.untrusted,
      spa: deployments.spa,
      manifestId: deployments.manifestId,
      sourceManifestId: deployments.sourceManifestId,
    })
    .from(deployments)
    .where(and(eq(deployments.teamId, teamId), eq(deployments.projectId, projectId), eq(deployments.id, id)))
  if (!found) throw deploymentNotFound(id)
  if (found.untrusted) throw notTrusted('deployed again')
  const isBuilt = needsWorker(found.build)
  const manifestId = isBuilt ? found.sourceManifestId : found.manifestId
  if (manifestId === null) {
    throw sourcesGone()
  }
  const build = found.buildGiven ?? (isBuilt ? {} : asItIs)
  const { spa, target, meta } = found
  return { ...(await filesOf(db, manifestId)), build, spa, target, meta }
}

async function filesOf(db: Database, manifestId: number): Promise<FileList> {
  const rows = await db
    .select({ path: manifestEntries.path, sha256: blobs.sha256, size: blobs.size })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(eq(manifestEntries.manifestId, manifestId))
    .orderBy(asc(manifestEntries.path))
  return fileListOf(rows.map((row, index) => ({ ...row, index, bytes: undefined })))
}

/** The error for sources that aren't there, or not all of them. */
export function sourcesGone(cause?: unknown): AppError {
  const message = 'The sources of this deployment are not kept any more: deploy the files themselves.'
  return new AppError('sources_gone', message, { cause })
}

/** The error for what is never done with the sources of somebody outside the team. */
export function notTrusted(done: string): AppError {
  return new AppError(
    'untrusted',
    `This deployment was made of the sources of somebody outside the team, so that it is never ${done}.`,
  )
}
