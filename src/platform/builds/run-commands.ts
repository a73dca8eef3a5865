/** Runs a deployment's commands on its sources, and collects the output. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { findFirstPages } from '../../lib/frameworks/first-pages.ts'
import { toPrintable } from '../../lib/names/printable.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { StorageLimits } from '../../stores/blobs/quota.ts'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Store } from '../../stores/db/store.ts'
import type { FileCaps } from '../deployments/check-files.ts'
import type { LogLine } from '../deployments/log/log-writer.ts'
import type { BuildJob } from '../deployments/queued/claim-build.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { limitsFrom } from '../sandbox/limits.ts'
import type { Redactor } from '../sandbox/redact.ts'
import type { BuildNetwork } from '../sandbox/registries/network.ts'
import { runSandboxed } from '../sandbox/run-sandboxed.ts'
import type { NodeRuntime } from '../sandbox/runtime-of.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { FileList } from '../sites/file-list.ts'
import type { BuildCache } from './cache/build-cache.ts'
import { collectOutput } from './collect-output.ts'
import { type BuildCaps, describeEnd, timedOut } from './describe-end.ts'
import { createExcerpt, type Excerpt } from './excerpt/excerpt.ts'
import { levelOf } from './excerpt/line-kind.ts'
import { provideManager } from './managers/provide-manager.ts'
import { createMissingProgram } from './missing-program.ts'
import { createNetworkHint } from './network-hint.ts'
import { writeSources } from './write-sources.ts'

/** The build, and the limits of its commands. */
export type CommandDeps = {
  store: Store
  blobs: BlobStore
  storage: StorageLimits
  caps: FileCaps
  nowMs: () => number
  /** The reserve of the workspaces' disk. */
  disk: DiskReserve
  isolation: 'bubblewrap' | 'none'
  /** The Node that commands and servers run with. */
  node: NodeRuntime
  network: BuildNetwork
  /** For sources of somebody outside the team. */
  untrustedNetwork: BuildNetwork
  buildCaps: BuildCaps
}

type Run = {
  job: BuildJob
  workspace: Workspace
  env: Record<string, string>
  redactor: Redactor
  log: (line: LogLine) => void
  cache: BuildCache | undefined
}

/**
 * The output files, whose blobs the team then has, or the error of the build. The time limit is for
 * everything, including the sources.
 * @throws the reason of `signal` when that aborts; AppError `store_unavailable`; Error when no sandbox could
 * be created.
 */
export async function runCommands(
  deps: CommandDeps,
  run: Run,
  signal: AbortSignal,
): Promise<FileList | { error: BuildError }> {
  const { timeoutS } = deps.buildCaps
  const endMs = performance.now() + timeoutS * 1_000
  const timeout = AbortSignal.timeout(timeoutS * 1_000)
  try {
    return await takeSteps(deps, run, endMs, { signal, withinTime: AbortSignal.any([signal, timeout]) })
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) return { error: timedOut(deps.buildCaps) }
    if (error instanceof AppError && (error.reason === 'storage_quota' || error.reason === 'disk_full'))
      return { error: { reason: error.reason, message: error.message } }
    throw error
  }
}

async function takeSteps(
  deps: CommandDeps,
  run: Run,
  endMs: number,
  { signal, withinTime }: { signal: AbortSignal; withinTime: AbortSignal },
): Promise<FileList | { error: BuildError }> {
  const { job, workspace } = run
  const { install_command, build_command, root_directory, output_directory } = job.build
  await writeSources({ ...deps, db: deps.store.db }, job.sourceManifestId, workspace, withinTime)
  if (!(await isDirectory(join(workspace.files, root_directory)))) {
    const directory = JSON.stringify(root_directory)
    const message = `There is no directory ${directory} among the files: set root_directory.`
    return { error: { reason: 'build_failed', message } }
  }
  const before = await findFirstPages(join(workspace.files, root_directory))
  const network = networkOf(deps, job)
  await provideManager(workspace, root_directory, {
    network,
    isolation: deps.isolation,
    node: deps.node.path,
  })
  const { cache } = run
  const isInstalled = (await cache?.restorePackages(withinTime)) === true
  if (install_command !== null && !isInstalled) {
    say(deps, run, 'Installing…')
    const step = { step: 'install', command: install_command, endMs } as const
    const { error } = await runStep(deps, run, step, signal)
    if (error) return { error }
    await cache?.keepPackages(withinTime)
  }
  await cache?.restoreResults(withinTime)
  let printed: Excerpt | undefined
  if (build_command !== null) {
    say(deps, run, 'Building…')
    const step = { step: 'build', command: build_command, endMs } as const
    const { error, excerpt } = await runStep(deps, run, step, signal)
    if (error) return { error }
    printed = excerpt
  }
  const output = {
    teamId: job.teamId,
    workspace,
    rootDirectory: root_directory,
    outputDirectory: output_directory,
    before,
  }
  const collected = await collectOutput(deps, output, withinTime)
  if ('files' in collected) return collected
  // A command may print an error, and yet end as if there were none.
  const error = { reason: 'build_failed', message: collected.problem } as const
  return { error: withExcerpt(error, printed?.errors() ?? []) }
}

function networkOf({ network, untrustedNetwork }: CommandDeps, { untrusted }: BuildJob): BuildNetwork {
  return untrusted ? untrustedNetwork : network
}

/** Runs one command; no error for exit code 0. */
async function runStep(
  deps: CommandDeps,
  { job, workspace, env, redactor, log }: Run,
  { step, command, endMs }: { step: 'install' | 'build'; command: string; endMs: number },
  signal: AbortSignal,
): Promise<{ error: BuildError | undefined; excerpt: Excerpt }> {
  const { isolation, nowMs, buildCaps } = deps
  const network = networkOf(deps, job)
  const redacted = redactor.redact(toPrintable(command))
  log({ timeMs: nowMs(), level: 'info', text: `$ ${redacted}` })
  const hint = createNetworkHint(network, step)
  const missing = createMissingProgram({ network, installs: job.build.install_command !== null })
  const excerpt = createExcerpt()
  const ended = await runSandboxed({
    isolation,
    workspace,
    command,
    directory: job.build.root_directory,
    env,
    disk: deps.disk,
    limits: { ...limitsFrom(buildCaps), wallMs: Math.max(1, endMs - performance.now()) },
    network,
    node: deps.node.path,
    redactor,
    signal,
    nowMs,
    onLine({ text, stream, timeMs }) {
      hint.look(text)
      missing.look(text)
      log({ text, timeMs, level: levelOf(excerpt.add({ text, stream })) })
    },
  })
  if (ended.how === 'aborted') throw signal.reason
  const error = describeEnd(ended, `\`${begin(redacted)}\``, buildCaps)
  if (!error) return { error, excerpt }
  const advice = missing.sentence() ?? hint.sentence()
  const isExplained = error.reason === 'build_failed' && advice !== undefined
  const message = isExplained ? `${error.message} ${advice}` : error.message
  return { error: withExcerpt({ ...error, message }, excerpt.lines()), excerpt }
}

function withExcerpt(error: BuildError, lines: string[]): BuildError {
  return lines.length > 0 ? { ...error, excerpt: lines } : error
}

/** The length to which a command is cut in messages. */
const shownLength = 100

function begin(command: string): string {
  return command.length > shownLength ? `${command.slice(0, shownLength).toWellFormed()}…` : command
}

function say({ nowMs }: CommandDeps, { log }: Run, text: string): void {
  log({ timeMs: nowMs(), level: 'info', text })
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
