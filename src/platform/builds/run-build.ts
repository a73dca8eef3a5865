/** One build of a deployment, from its claim to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { findBlobs } from '../../stores/blobs/rows.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import { createLogWriter, type LogLine } from '../deployments/log/log-writer.ts'
import { type BuildJob, endLeases, giveBackBuild } from '../deployments/queued/claim-build.ts'
import { type BuiltSite, completeBuild } from '../deployments/queued/complete.ts'
import { type BuildError, failBuild } from '../deployments/queued/fail.ts'
import { deploymentFacts } from '../projects/deployment-facts.ts'
import { type SiteUrls, siteUrl } from '../projects/host-label.ts'
import { openEnv } from '../projects/open-env.ts'
import type { FindProblem } from '../sandbox/availability.ts'
import { createRedactor } from '../sandbox/redact.ts'
import type { Uids } from '../sandbox/uids.ts'
import { makeWorkspace, removeWorkspace, type Workspace } from '../sandbox/workspace.ts'
import { serverEnvironment } from '../servers/server-env.ts'
import { toEntries } from '../sites/manifest.ts'
import { findRules } from '../sites/read-rules.ts'
import { toSite } from '../sites/site.ts'
import { buildEnvironment } from './build-env.ts'
import { openBuildCache } from './cache/build-cache.ts'
import { linesOf } from './cache/lines.ts'
import type { CacheStore } from './cache/store.ts'
import { diskFull } from './describe-end.ts'
import { type Built, runCommands } from './run-commands.ts'
import type { CommandDeps } from './run-step.ts'
import { watchHeld } from './watch-held.ts'

export type BuildDeps = CommandDeps &
  SiteUrls & {
    envKey: Buffer
    /** The directory of the workspaces. */
    root: string
    uids: Uids
    buildProblem: FindProblem
    log: Logger
    /** Undefined where nothing is kept for later builds. */
    caches: CacheStore | undefined
    /** Called with each build that ended here: `ready`, or the reason of its error. */
    observe?: (outcome: 'ready' | BuildError['reason'], durationMs: number) => void
  }

/**
 * Builds, and records the result, unless this worker lost the build. When `signal` aborts, the deployment is
 * queued again.
 * @throws errors that prevented a result: then another worker, or this one, starts over.
 */
export async function runBuild(deps: BuildDeps, job: BuildJob, signal: AbortSignal): Promise<void> {
  const gone = new AbortController()
  const endWatch = watchHeld(deps, job, () => gone.abort())
  const writer = createLogWriter({
    db: deps.store.db,
    kind: 'build',
    nowMs: deps.nowMs,
    onError: (err) =>
      deps.log.warn({ err, deployment: job.id }, 'Lines of a build could not be written; retrying.'),
  })
  const source = { teamId: job.teamId, projectId: job.projectId, deploymentId: job.id }
  const print = (line: LogLine) => void writer.add(source, line)
  try {
    const begunMs = performance.now()
    const say = (level: LogLine['level'], text: string) => print({ timeMs: deps.nowMs(), level, text })
    if (job.attempts > 1) say('info', 'The worker was lost: the build starts over.')
    const built = await build(deps, job, print, AbortSignal.any([signal, gone.signal]))
    if ('error' in built) say('error', built.error.message)
    else say('info', `Done in ${((performance.now() - begunMs) / 1_000).toFixed(1)} s.`)
    // The whole log is written before the end is visible.
    await writer.close()
    const isOurs = await whileAway(() =>
      'error' in built ? failBuild(deps, job, built.error) : completeBuild(deps, job, built),
    )
    const outcome = 'error' in built ? built.error.reason : 'ready'
    if (isOurs) deps.observe?.(outcome, performance.now() - begunMs)
  } catch (error) {
    await writer.close().catch(() => {})
    if (gone.signal.aborted) return
    if (signal.aborted) return await giveBackBuild(deps, job)
    await endLeases(deps, job).catch(() => {})
    throw error
  } finally {
    endWatch()
  }
}

/** Without one, a build reaches whatever this host can. */
const noSandbox: BuildError = {
  reason: 'builds_not_available',
  message:
    'Sources of somebody outside the team are built in a sandbox only, ' +
    'and this node has none (SVC_BUILD_SANDBOX).',
}

const tooLarge =
  "The project's variables exceed the size of a command's environment: shorten or remove some of its env."

async function build(
  deps: BuildDeps,
  job: BuildJob,
  log: (line: LogLine) => void,
  signal: AbortSignal,
): Promise<BuiltSite | { error: BuildError }> {
  const problem = await deps.buildProblem()
  if (problem !== undefined) return { error: { reason: 'builds_not_available', message: problem } }
  if (job.untrusted && deps.isolation === 'none') return { error: noSandbox }
  if (await deps.disk.isFull()) return { error: diskFull }
  const variables = job.untrusted ? {} : await openEnv(deps.store.db, deps.envKey, job)
  const workspace = await makeWorkspace(deps.root, deps.isolation === 'bubblewrap' ? deps.uids : undefined)
  try {
    return await buildIn(deps, { job, workspace, variables, log }, signal)
  } finally {
    await removeWorkspace(workspace)
  }
}

type Build = {
  job: BuildJob
  workspace: Workspace
  variables: Record<string, string>
  log: (line: LogLine) => void
}

async function buildIn(
  deps: BuildDeps,
  { job, workspace, variables, log }: Build,
  signal: AbortSignal,
): Promise<BuiltSite | { error: BuildError }> {
  const env = buildEnvironment(deps.sitesUrl, job, variables)
  const server = {
    env: serverEnvironment(deploymentFacts(deps.sitesUrl, job), variables),
    host: new URL(siteUrl(deps.sitesUrl, job.host)).host,
  }
  const redactor = await createRedactor(Object.values(variables))
  if (!redactor) return { error: { reason: 'build_failed', message: tooLarge } }
  const { caches: store, nowMs } = deps
  const say = (text: string) => log({ timeMs: nowMs(), level: 'info', text: redactor.redact(text) })
  const work = store && { store, nowMs, log: deps.log, job, workspace, lines: linesOf(job), say }
  const cache = work && openBuildCache(work, variables)
  try {
    const output = await runCommands(deps, { job, workspace, env, server, redactor, log, cache }, signal)
    if (!('error' in output)) {
      const count = output.files.length + (output.left?.kept.files.length ?? 0)
      say(`Deploying ${count} ${count === 1 ? 'file' : 'files'}…`)
    }
    const built = 'error' in output ? output : await readSite(deps, job, output)
    await ('error' in built ? cache?.forget() : cache?.save(signal))
    return built
  } finally {
    await cache?.close()
  }
}

/** The site of the files, and its server; an invalid line of its rules is the build's error. */
async function readSite(
  { store, blobs, nowMs }: BuildDeps,
  { teamId }: BuildJob,
  { left, ...list }: Built,
): Promise<BuiltSite | { error: BuildError }> {
  const kept = left?.kept.files ?? []
  const digests = [...list.files, ...kept].map(({ sha256 }) => sha256)
  const found = await findBlobs(store.db, teamId, digests, nowMs())
  const known = new Map(found.map((blob) => [blob.sha256, blob]))
  try {
    // The server decides what visitors get beside the files.
    const rules = { ...findRules(list), ...(left && { paths: undefined }) }
    const site = await toSite({ db: store.db, blobs }, { files: list.files, rules }, known)
    if (!left) return { ...site, bytes: list.bytes }
    const { links, executables, bytes } = left.kept
    const entries = toEntries(kept, known)
    const server = { ...left.server, kept: { entries, links, executables } }
    return { ...site, bytes: list.bytes + bytes, server }
  } catch (error) {
    if (!(error instanceof AppError && error.reason === 'invalid_input')) throw error
    const [issue] = error.issues ?? []
    return { error: { reason: 'build_failed', message: `${issue?.message ?? error.message}.` } }
  }
}

/** Less than a lease, so that the build is still this worker's then. */
const retryMs = [500, 2_000, 5_000]

/** Retries while the database is unavailable, so that the build isn't lost. */
async function whileAway<T>(write: () => Promise<T>): Promise<T> {
  for (const pauseMs of retryMs) {
    try {
      return await write()
    } catch (error) {
      if (!isStoreAway(error)) throw error
      await sleep(pauseMs)
    }
  }
  return write()
}
