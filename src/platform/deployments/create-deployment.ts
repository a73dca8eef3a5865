/**
 * Creates a deployment from its files, which is ready at once, or waits for its build where a command builds
 * it or starts its server.
 */
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { needsWorker } from '../../lib/needs-worker.ts'
import type { KnownBlob } from '../../stores/blobs/rows.ts'
import { isForeignKeyViolation } from '../../stores/db/failures.ts'
import type { Deployer } from '../callers/actor.ts'
import type { Scope } from '../callers/scope.ts'
import type { Remember } from '../idempotency/once.ts'
import { buildOfDeployment } from '../projects/build-settings.ts'
import { projectNameSchema } from '../projects/name.ts'
import { getProject, type KnownProject } from '../projects/read-project.ts'
import { type FoundRules, findRules } from '../sites/read-rules.ts'
import { toSite } from '../sites/site.ts'
import { sourceWarnings } from '../sites/warnings/source-warnings.ts'
import type { FileCaps } from './check-files.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import { sourcesGone } from './find-sources.ts'
import { type BlobDeps, ensureBlobs, forget } from './missing-files.ts'
import { checkSent, type DeploymentInput, findNamed } from './requested-sources.ts'
import { requirePolicy } from './require-policy.ts'
import { limitedSender } from './seen-digests.ts'
import { type NewDeployment, type WriteDeps, writeDeployment } from './write-deployment.ts'

export type CreateDeps = BlobDeps &
  WriteDeps & {
    caps: FileCaps
    /** Why this node can't build; undefined if it can. */
    buildProblem: () => Promise<string | undefined>
  }

/** How often a blob may be collected between lookup and use, before that is an error. */
const maxAttempts = 3

/**
 * Stores inline files and records the deployment with its manifest and host in one transaction. A production
 * deployment goes live if the project promotes automatically. With a build, the files are its sources. With
 * `from`, they are those of another deployment.
 * @throws AppError `invalid_input` (also for an invalid line of `_redirects` or `_headers`),
 * `project_not_found`, `scope`, `files_missing`, `builds_not_available`, `too_many_queued`, and with `from`
 * `deployment_not_found`, `sources_gone`, `untrusted`.
 */
export async function createDeployment(
  deps: CreateDeps,
  actor: Deployer,
  input: DeploymentInput,
  remember?: Remember,
): Promise<DeploymentRecord> {
  const plan = await planDeployment(deps, actor, input)
  return recordWithBlobs(deps, actor, { ...plan, input, remember }, 1)
}

/** `rules` are those of a site; the sources of a build have none until it has ended. */
type Plan = NewDeployment & { rules: FoundRules | undefined }

/** Checks all that is known before the files' blobs are. */
async function planDeployment(
  deps: CreateDeps,
  actor: Deployer,
  input: DeploymentInput,
): Promise<Omit<Plan, 'input' | 'remember'>> {
  const sent = await checkSent(deps.caps, input)
  const project = await findTarget(deps, actor.principal, input.project)
  const sources = sent ?? (await findNamed(deps, project, actor.principal, input))
  requirePolicy(actor, sources)
  const build = buildOfDeployment(project, sources.build)
  const isBuilt = needsWorker(build)
  const problem = isBuilt && (await deps.buildProblem())
  if (problem) throw new AppError('builds_not_available', problem)
  return { project, build, sources, rules: isBuilt ? undefined : findRules(sources) }
}

/** The error for a project that doesn't exist says how to create it, where the caller may. */
async function findTarget(deps: CreateDeps, scope: Scope, reference: string): Promise<KnownProject> {
  try {
    return await getProject(deps, scope, reference)
  } catch (error) {
    const isMissing = error instanceof AppError && error.reason === 'project_not_found'
    const mayCreate = scope.projects === null && projectNameSchema.safeParse(reference).success
    if (!isMissing || !mayCreate || isId('project', reference)) throw error
    const message = `${error.message} PUT /v1/projects/${reference} creates it.`
    throw new AppError('project_not_found', message, { cause: error })
  }
}

/** Looks the blobs up again where they, or the project, went between the look-up and the transaction. */
async function recordWithBlobs(
  deps: CreateDeps,
  actor: Deployer,
  plan: Plan,
  attempt: number,
): Promise<DeploymentRecord> {
  const { principal } = actor
  const { teamId } = principal
  const { files } = plan.sources
  const known = await findBlobs(deps, actor, plan)
  const stores = { db: deps.store.db, blobs: deps.blobs }
  const found = await toSite(stores, { files, rules: plan.rules }, known)
  const more = plan.rules ? await sourceWarnings(stores, files, known) : []
  const site = { ...found, warnings: [...found.warnings, ...more] }
  try {
    const { record, changed } = await writeDeployment(deps, actor, plan, site)
    for (const blob of changed) deps.knownBlobs.add(teamId, blob)
    return record
  } catch (error) {
    if (!(isForeignKeyViolation(error) || isCollected(error)) || attempt === maxAttempts) throw error
    // A blob was collected, or the project deleted, since the lookup: look again, and report it if it is
    // gone.
    await getProject(deps, principal, plan.project.id)
    forget(deps.knownBlobs, teamId, files)
    return recordWithBlobs(deps, actor, plan, attempt + 1)
  }
}

/** The blobs of the files by digest, of which those that came along are stored first. */
async function findBlobs(
  deps: CreateDeps,
  { principal }: Deployer,
  { project, sources, input }: Plan,
): Promise<Map<string, KnownBlob>> {
  const isSent = input.from === undefined
  // The sources of an earlier deployment are those of the project, which it sees.
  const limited = isSent ? limitedSender(principal, project.id) : undefined
  try {
    return await ensureBlobs(deps, principal.teamId, sources.files, { ...input, limited })
  } catch (error) {
    throw !isSent && isCollected(error) ? sourcesGone(error) : error
  }
}

function isCollected(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'files_missing'
}
