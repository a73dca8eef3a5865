/** Creates a deployment from its files; without a build command it is ready at once, with one it waits for its build. */
import { type Actor, originOf } from '../auth/actor.ts'
import type { KnownBlob } from '../blobs/rows.ts'
import { isForeignKeyViolation } from '../db/failures.ts'
import { type BuildSettings, deployments } from '../db/schema/projects.ts'
import { AppError } from '../errors.ts'
import { recordEvents } from '../events/record-events.ts'
import type { Remember } from '../idempotency/once.ts'
import { newId } from '../ids.ts'
import type { EnvTarget } from '../projects/env.ts'
import { assignLabel, type SiteUrls, takeDeploymentLabel } from '../projects/host-label.ts'
import { getProject, type KnownProject } from '../projects/read.ts'
import { mergeBuild, type ProjectChanges } from '../projects/settings.ts'
import { type BlobDeps, ensureBlobs, forget, type Sending } from './ensure-blobs.ts'
import { deploymentEvent, promotedEvent } from './event-data.ts'
import { insertManifest, type NewManifest, toEntries } from './manifest.ts'
import { type FileCaps, type FileInput, type PlannedFile, planFiles } from './plan-files.ts'
import { promoteByItself } from './promote.ts'
import { buildQueue } from './queued/claim.ts'
import { checkQueue, findQueuePosition } from './queued/turns.ts'
import { ownColumns, toRecord } from './read.ts'
import type { DeploymentRecord } from './record.ts'
import { type FoundRules, findRules, readRules } from './rules/read-rules.ts'

export type DeploymentInput = {
  project: string
  target: EnvTarget
  files: FileInput[]
  meta: Record<string, string>
  build?: NonNullable<ProjectChanges['build']> | undefined
} & Sending

export type CreateDeps = BlobDeps &
  SiteUrls & {
    caps: FileCaps
    /** Why this node can't build; undefined if it can. */
    buildProblem: () => Promise<string | undefined>
    /** How many deployments of a team may be queued. */
    maxQueuedBuilds: number
  }

/** How often a blob may be collected between lookup and use, before that is an error. */
const maxAttempts = 3

/**
 * Stores inline files and records the deployment with its manifest and host in one transaction. A production deployment goes
 * live if the project promotes automatically. With a build, the files are its sources.
 * @throws AppError `invalid_input` (also for an invalid line of `_redirects` or `_headers`), `project_not_found`, `files_missing`,
 * `builds_not_available`, `too_many_queued`.
 */
export async function createDeployment(
  deps: CreateDeps,
  actor: Actor,
  input: DeploymentInput,
  remember?: Remember,
): Promise<DeploymentRecord> {
  const files = await planFiles(input.files, deps.caps)
  const project = await getProject(deps, actor.principal.teamId, input.project)
  const build = mergeBuild(project.build, input.build ?? {})
  const isBuilt = build.build_command !== null
  const problem = isBuilt && (await deps.buildProblem())
  if (problem) throw new AppError('builds_not_available', problem)
  // Rules of the output are read once it exists.
  const foundRules = findRules(isBuilt ? [] : files)
  return recordWithBlobs(deps, actor, { project, build, files, foundRules, input, remember }, 1)
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
  actor: Actor,
  plan: Plan,
  attempt: number,
): Promise<DeploymentRecord> {
  const { teamId } = actor.principal
  const known = await ensureBlobs(deps, teamId, plan.files, plan.input)
  const rules = await readRules({ db: deps.store.db, blobs: deps.blobs }, plan.foundRules, known)
  try {
    const manifest = { entries: toEntries(plan.files, known), rules }
    const { record, changed } = await writeDeployment(deps, actor, plan, manifest)
    for (const blob of changed) deps.knownBlobs.add(teamId, blob)
    return record
  } catch (error) {
    if (!(isForeignKeyViolation(error) || isCollected(error)) || attempt === maxAttempts) throw error
    // A blob was collected, or the project deleted, since the lookup: look again, and report it if it is gone.
    await getProject(deps, teamId, plan.project.id)
    forget(deps.knownBlobs, teamId, plan.files)
    return recordWithBlobs(deps, actor, plan, attempt + 1)
  }
}

function isCollected(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'files_missing'
}

async function writeDeployment(
  deps: CreateDeps,
  actor: Actor,
  { project, build, files, input, remember }: Plan,
  { entries, rules }: Pick<NewManifest, 'entries' | 'rules'>,
): Promise<{ record: DeploymentRecord; changed: KnownBlob[] }> {
  const { teamId, userId } = actor.principal
  const createdMs = deps.nowMs()
  const id = newId('deployment', createdMs)
  // Prepared statements, here and below: planned once per connection, and sent in one message instead of two.
  return deps.store.transact(async (tx, announce) => {
    const isServed = build.build_command === null
    if (!isServed) await checkQueue(tx, teamId, deps.maxQueuedBuilds)
    const manifest = await insertManifest(tx, { teamId, entries, rules, isServed }, createdMs)
    const host = await takeDeploymentLabel(tx, teamId, project.name)
    const row: typeof deployments.$inferInsert = {
      id,
      teamId,
      projectId: project.id,
      host,
      target: input.target,
      build,
      meta: input.meta,
      ...(isServed
        ? { state: 'ready', manifestId: manifest.id, readyMs: createdMs, endedMs: createdMs }
        : { state: 'queued', sourceManifestId: manifest.id }),
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.size, 0),
      createdBy: userId,
      createdMs,
    }
    const assigned = tx
      .$with('assigned')
      .as(assignLabel(tx, host, { projectId: project.id, deploymentId: id }))
    const [made] = await tx
      .with(assigned)
      .insert(deployments)
      .values(row)
      .returning(ownColumns)
      .prepare(isServed ? 'insert_deployment' : 'insert_queued_deployment')
      .execute()
    if (!made) throw new Error('An insert returned no row.')
    const isToPromote = isServed && input.target === 'production'
    const promoted = isToPromote && (await promoteByItself(tx, project.id, { id, createdMs }, createdMs))
    const live = Boolean(promoted)
    if (live) announce({ kind: 'project', id: project.id })
    announce({ kind: 'host', id: host })
    if (!isServed) announce({ kind: 'work', id: buildQueue })
    const record = toRecord(deps, {
      ...made,
      live_since_ms: live ? createdMs : null,
      live,
      project: project.name,
      production_host: project.production_host,
      production_domains: project.production_domains,
      preview_ttl_days: project.preview_ttl_days,
      queue_position: isServed ? null : await findQueuePosition(tx, teamId, id),
    })
    const owner = { teamId, projectId: project.id }
    const happened = [deploymentEvent('created', owner, record)]
    if (isServed) happened.push(deploymentEvent('ready', owner, record))
    if (promoted)
      happened.push(promotedEvent(owner, record, { previous: promoted.previous, rollback: false }))
    await recordEvents(tx, announce, { origin: originOf(actor), nowMs: createdMs }, happened)
    const leftOut = input.zip?.leftOut ?? []
    const response = leftOut.length > 0 ? { ...record, left_out: leftOut } : record
    await remember?.(tx, response)
    return { record: response, changed: manifest.changed }
  })
}
