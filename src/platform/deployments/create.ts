/**
 * Creates a deployment from its files; without a build command it is ready at once, with one it waits for its
 * build.
 */
import { eq, type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId, newId } from '../../lib/ids.ts'
import type { KnownBlob } from '../../stores/blobs/rows.ts'
import type { Database } from '../../stores/db/database.ts'
import { isForeignKeyViolation } from '../../stores/db/failures.ts'
import { type BuildSettings, deployments, projects } from '../../stores/db/schema/projects.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Deployer, keyIdOf, originOf } from '../auth/actor.ts'
import { keyName } from '../auth/key-name.ts'
import type { Scope } from '../auth/scope.ts'
import { issuerName } from '../auth/workloads/issuers.ts'
import { beyondScope } from '../auth/workloads/require-opened.ts'
import type { Remember } from '../idempotency/once.ts'
import { forgeNames } from '../projects/forge-names.ts'
import { assignLabel, type SiteUrls, takeDeploymentLabel } from '../projects/host-label.ts'
import { projectNameSchema } from '../projects/name.ts'
import { getProject, type KnownProject } from '../projects/read.ts'
import { mergeBuild } from '../projects/settings.ts'
import type { FileCaps } from './check-files.ts'
import { deploymentEvent, promotedEvent } from './event-data.ts'
import { type Sources, sourcesGone } from './find-sources.ts'
import { rememberNames } from './hashed-names/remember-names.ts'
import { insertManifest, type NewManifest, toEntries } from './manifest.ts'
import { type BlobDeps, ensureBlobs, forget } from './missing-files.ts'
import type { DeploymentRecord } from './output.ts'
import { promoteByItself } from './promote.ts'
import { moveAddress } from './pull-request-address.ts'
import { buildQueue } from './queued/claim.ts'
import { checkQueue, findQueuePosition } from './queued/turns.ts'
import { ownColumns, toRecord } from './read.ts'
import { checkSent, type DeploymentInput, findNamed } from './requested-sources.ts'
import { type FoundRules, findRules, readRules } from './rules/read-rules.ts'
import { limitedSender } from './seen-digests.ts'
import { sourceKindOf } from './source.ts'
import { firstWarnings, leftOutWarning, type Warning } from './warnings/warning.ts'

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
  const sent = await checkSent(deps.caps, input)
  const project = await findTarget(deps, actor.principal, input.project)
  const sources = sent ?? (await findNamed(deps, project, actor.principal, input))
  requireTarget(actor.principal, sources.target)
  requireBranch(actor.principal, sources.meta)
  const build = mergeBuild(project.build, sources.build)
  const isBuilt = build.build_command !== null
  const problem = isBuilt && (await deps.buildProblem())
  if (problem) throw new AppError('builds_not_available', problem)
  // Rules of the output are read once it exists.
  const foundRules = isBuilt ? undefined : findRules(sources.files)
  return recordWithBlobs(deps, actor, { project, build, sources, foundRules, input, remember }, 1)
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

type Plan = {
  project: KnownProject
  build: BuildSettings
  sources: Sources
  /** None for sources. */
  foundRules: FoundRules | undefined
  input: DeploymentInput
  remember: Remember | undefined
}

function sourceOf({ principal }: Deployer, { from, zip, agent }: DeploymentInput) {
  if (principal.kind === 'hook' || principal.kind === 'forge') return principal.kind
  if (principal.kind === 'workload') return 'oidc'
  return from === undefined ? (zip?.source ?? sourceKindOf(principal, agent)) : 'redeploy'
}

/** One text for all kinds, since the statement that it is a part of is prepared by name. */
function sourceName(tx: Database, { principal }: Deployer): SQL<string | null> {
  return sql<string | null>`coalesce(${givenName(principal)}::text, ${keyName(tx, keyIdOf(principal))})`
}

function givenName(principal: Deployer['principal']): string | null {
  if (principal.kind === 'hook') return principal.hookName
  if (principal.kind === 'forge') return forgeNames[principal.forge]
  return principal.kind === 'workload' ? issuerName(principal.issuer) : null
}

/** @throws AppError `scope`. */
function requireTarget(principal: Deployer['principal'], target: Sources['target']): void {
  if (principal.kind !== 'workload' || principal.targets.includes(target)) return
  throw beyondScope(`deploy to ${target}, since its policy names ${principal.targets.join(', ')} alone`)
}

/** The address of a branch leads to what names it. @throws AppError `scope`. */
function requireBranch(principal: Deployer['principal'], { branch = '' }: Sources['meta']): void {
  if (principal.kind !== 'workload' || principal.boundTo === undefined || branch === '') return
  const { boundTo } = principal
  if (boundTo === branch) return
  const may =
    boundTo === null ? 'which is no branch: leave meta.branch out or empty' : `the branch ${boundTo}`
  throw beyondScope(
    `name the branch ${branch}, since its policy binds that to the ref of the identity token, ${may}`,
  )
}

type Site = Pick<NewManifest, 'entries' | 'rules'> & { warnings: Warning[] }

async function recordWithBlobs(
  deps: CreateDeps,
  actor: Deployer,
  plan: Plan,
  attempt: number,
): Promise<DeploymentRecord> {
  const { principal } = actor
  const { teamId } = principal
  const { files } = plan.sources
  // The sources of an earlier deployment are those of the project, which it sees.
  const limited = plan.input.from === undefined ? limitedSender(principal, plan.project.id) : undefined
  const known = await ensureBlobs(deps, teamId, files, { ...plan.input, limited }).catch((error: unknown) => {
    throw plan.input.from !== undefined && isCollected(error) ? sourcesGone(error) : error
  })
  const stores = { db: deps.store.db, blobs: deps.blobs }
  const { rules, warnings } = plan.foundRules
    ? await readRules(stores, plan.foundRules, known)
    : { rules: null, warnings: [] }
  try {
    const site = { entries: toEntries(files, known), rules, warnings }
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

function isCollected(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'files_missing'
}

async function writeDeployment(
  deps: CreateDeps,
  actor: Deployer,
  { project, build, sources, input, remember }: Plan,
  { entries, rules, warnings }: Site,
): Promise<{ record: DeploymentRecord; changed: KnownBlob[] }> {
  const { principal } = actor
  const { teamId, userId } = principal
  const { files, target, meta } = sources
  const createdMs = deps.nowMs()
  const id = newId('deployment', createdMs)
  const leftOut = input.zip?.leftOut ?? []
  // Prepared statements, here and below: planned once per connection, and sent in one message instead of two.
  return deps.store.transact(async (tx) => {
    const isServed = build.build_command === null
    if (!isServed) await checkQueue(tx, teamId, deps.maxQueuedBuilds)
    const manifest = await insertManifest(tx, { teamId, entries, rules, isServed }, createdMs)
    const host = await takeDeploymentLabel(tx, teamId, project.name)
    const assigned = tx
      .$with('assigned')
      .as(assignLabel(tx, host, { projectId: project.id, deploymentId: id }))
    const active = tx.$with('active').as(
      tx
        .update(projects)
        .set({ activeMs: sql`greatest(${projects.activeMs}, ${createdMs}::bigint)` })
        .where(eq(projects.id, project.id))
        .returning({ id: projects.id }),
    )
    const [made] = await tx
      .with(assigned, active)
      .insert(deployments)
      .values({
        id,
        teamId,
        projectId: project.id,
        host,
        target,
        build,
        buildGiven: sources.build,
        spa: sources.spa,
        meta,
        sourceKind: sourceOf(actor, input),
        sourceName: sourceName(tx, actor),
        redeployOf: input.from ?? null,
        untrusted: input.untrusted ?? false,
        ...(isServed
          ? { state: 'ready', manifestId: manifest.id, readyMs: createdMs, endedMs: createdMs }
          : { state: 'queued', sourceManifestId: manifest.id }),
        files: files.length,
        bytes: files.reduce((sum, file) => sum + file.size, 0),
        warnings: firstWarnings([...leftOut.map(leftOutWarning), ...warnings]),
        createdBy: userId,
        createdMs,
      })
      .returning(ownColumns)
      .prepare(isServed ? 'insert_deployment' : 'insert_queued_deployment')
      .execute()
    if (!made) throw new Error('An insert returned no row.')
    const isToPromote = isServed && target === 'production' && !made.untrusted
    const promoted = isToPromote && (await promoteByItself(tx, project.id, { id, createdMs }, createdMs))
    const ready = { id, teamId, projectId: project.id, createdMs, meta, untrusted: made.untrusted }
    const otherHost = isServed ? await moveAddress(tx, ready, createdMs) : undefined
    // After the project is locked, as when a build completes.
    if (!made.untrusted)
      await rememberNames(tx, { projectId: project.id, manifestId: manifest.id }, manifest.hashed)
    const live = Boolean(promoted)
    if (live) tx.announce({ kind: 'project', id: project.id })
    tx.announce({ kind: 'host', id: host })
    if (!isServed) tx.announce({ kind: 'work', id: buildQueue })
    const record = toRecord(deps, {
      ...made,
      branch_hosts: otherHost === undefined ? [] : [otherHost],
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
    await recordEvents(tx, { origin: originOf(actor), nowMs: createdMs }, happened)
    const response = leftOut.length > 0 ? { ...record, left_out: leftOut } : record
    await remember?.(tx, response)
    return { record: response, changed: manifest.changed }
  })
}
