/** Creates a deployment from its files; without a build command it is ready at once. */

import type { Principal } from '../auth/principal.ts'
import { isForeignKeyViolation } from '../db/failures.ts'
import { type BuildSettings, deployments } from '../db/schema/projects.ts'
import { AppError } from '../errors.ts'
import type { Remember } from '../idempotency/once.ts'
import { newId } from '../ids.ts'
import type { EnvTarget } from '../projects/env.ts'
import { assignLabel, takeDeploymentLabel } from '../projects/host-label.ts'
import { mergeBuild, type ProjectChanges } from '../projects/put.ts'
import { getProject, type KnownProject } from '../projects/read.ts'
import { type BlobDeps, ensureBlobs } from './ensure-blobs.ts'
import { insertManifest } from './manifest.ts'
import { type FileCaps, type FileInput, type PlannedFile, planFiles } from './plan-files.ts'
import { promoteByItself } from './promote.ts'
import { type DeploymentRecord, ownColumns, toRecord } from './read.ts'
import { type FoundRules, findRules, readRules } from './rules/read-rules.ts'
import type { Rules } from './rules/rules.ts'

export type DeploymentInput = {
  project: string
  target: EnvTarget
  files: FileInput[]
  meta: Record<string, string>
  build?: NonNullable<ProjectChanges['build']> | undefined
}

export type CreateDeps = BlobDeps & { sitesUrl: string; caps: FileCaps }

/** How often a blob may be collected between looking it up and using it, before that is an error. */
const maxAttempts = 3

/**
 * Stores inline files and records the deployment with its manifest and host in one transaction. One for production
 * becomes live if the project promotes by itself.
 * @throws AppError `invalid_input` (also for a bad line of `_redirects` or `_headers`), `project_not_found`, `files_missing`,
 * `builds_not_available`.
 */
export async function createDeployment(
  deps: CreateDeps,
  principal: Principal,
  input: DeploymentInput,
  remember?: Remember,
): Promise<DeploymentRecord> {
  const files = planFiles(input.files, deps.caps)
  const foundRules = findRules(files)
  const project = await getProject(deps, principal.teamId, input.project)
  const build = mergeBuild(project.build, input.build ?? {})
  if (build.build_command !== null) {
    throw new AppError(
      'builds_not_available',
      'This service does not run builds yet: deploy the built files, and clear build_command.',
    )
  }
  return recordWithBlobs(deps, principal, { project, build, files, foundRules, input, remember }, 1)
}

type Plan = {
  project: KnownProject
  build: BuildSettings
  files: PlannedFile[]
  foundRules: FoundRules
  input: DeploymentInput
  remember: Remember | undefined
}

async function recordWithBlobs(
  deps: CreateDeps,
  principal: Principal,
  plan: Plan,
  attempt: number,
): Promise<DeploymentRecord> {
  const blobIds = await ensureBlobs(deps, principal.teamId, plan.files)
  const rules = await readRules({ db: deps.store.db, blobs: deps.blobs }, plan.foundRules, blobIds)
  try {
    return await record(deps, principal, plan, { blobIds, rules })
  } catch (error) {
    if (!(isForeignKeyViolation(error) || isCollected(error)) || attempt === maxAttempts) throw error
    // A blob was collected, or the project deleted, since it was looked up: look again, and say so if it is gone.
    await getProject(deps, principal.teamId, plan.project.id)
    return recordWithBlobs(deps, principal, plan, attempt + 1)
  }
}

function isCollected(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'files_missing'
}

async function record(
  { store, sitesUrl, nowMs }: CreateDeps,
  principal: Principal,
  { project, build, files, input, remember }: Plan,
  { blobIds, rules }: { blobIds: Map<string, number>; rules: Rules | null },
): Promise<DeploymentRecord> {
  const { teamId, userId } = principal
  const createdMs = nowMs()
  const id = newId('deployment', createdMs)
  // No blob has the id 0.
  const entries = files.map(({ path, sha256 }) => ({ path, blobId: blobIds.get(sha256) ?? 0 }))
  // What is prepared, here and below, PostgreSQL plans once for each connection, and is asked in one message instead of two.
  return store.transact(async (tx, announce) => {
    const manifestId = await insertManifest(tx, { teamId, entries, rules }, createdMs)
    const host = await takeDeploymentLabel(tx, teamId, project.name)
    const row = {
      id,
      teamId,
      projectId: project.id,
      host,
      target: input.target,
      state: 'ready',
      build,
      meta: input.meta,
      manifestId,
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.size, 0),
      createdBy: userId,
      createdMs,
      readyMs: createdMs,
      endedMs: createdMs,
    } as const
    const [made] = await tx
      .insert(deployments)
      .values(row)
      .returning(ownColumns)
      .prepare('insert_deployment')
      .execute()
    if (!made) throw new Error('An insert returned no row.')
    await assignLabel(tx, host, { projectId: project.id, deploymentId: id })
    const live = input.target === 'production' && (await promoteByItself(tx, project.id, { id, createdMs }))
    if (live) announce({ kind: 'project', id: project.id })
    announce({ kind: 'host', id: host })
    const record = toRecord(sitesUrl, {
      ...made,
      live_since_ms: live ? createdMs : null,
      live,
      project: project.name,
      production_host: project.production_host,
      production_domains: project.production_domains,
      preview_ttl_days: project.preview_ttl_days,
    })
    await remember?.(tx, record)
    return record
  })
}
