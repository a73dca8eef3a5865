/** Runs one command of a build in its sandbox, with its lines in the log. */
import { toPrintable } from '../../lib/names/printable.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { StorageLimits } from '../../stores/blobs/quota.ts'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Store } from '../../stores/db/store.ts'
import type { FileCaps } from '../deployments/check-files.ts'
import type { LineLevel, LogLine } from '../deployments/log/log-writer.ts'
import type { BuildJob } from '../deployments/queued/claim-build.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { limitsFrom } from '../sandbox/limits.ts'
import type { Redactor } from '../sandbox/redact.ts'
import type { BuildNetwork } from '../sandbox/registries/network.ts'
import { runSandboxed } from '../sandbox/run-sandboxed.ts'
import type { NodeRuntime } from '../sandbox/runtime-of.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { ServerDeps } from '../servers/server-process.ts'
import type { BuildCache } from './cache/build-cache.ts'
import { type BuildCaps, describeEnd } from './describe-end.ts'
import { createExcerpt, type Excerpt } from './excerpt/excerpt.ts'
import { levelOf } from './excerpt/line-kind.ts'
import { createMissingAdapter } from './missing-adapter.ts'
import { createMissingProgram } from './missing-program.ts'
import { createNetworkHint } from './network-hint.ts'

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
  /** The parts of this node that try servers; undefined where it has no place for their sockets. */
  servers: ServerDeps | undefined
}

export type Run = {
  job: BuildJob
  workspace: Workspace
  env: Record<string, string>
  /** The environment of its server, if it has one, and the host that it is for. */
  server: { env: Record<string, string>; host: string }
  redactor: Redactor
  log: (line: LogLine) => void
  cache: BuildCache | undefined
}

/** `directory` is relative to the workspace's files; `endMs` is a time of `performance.now()`. */
export type Step = {
  step: 'install' | 'build' | 'complete' | 'prune'
  command: string
  directory: string
  endMs: number
}

/**
 * No error for exit code 0.
 * @throws the reason of `signal` when that aborts; Error when no sandbox could be created.
 */
export async function runStep(
  deps: CommandDeps,
  { job, workspace, env, redactor, log }: Run,
  { step, command, directory, endMs }: Step,
  signal: AbortSignal,
): Promise<{ error: BuildError | undefined; excerpt: Excerpt }> {
  const { isolation, nowMs, buildCaps } = deps
  const network = networkOf(deps, job)
  const redacted = redactor.redact(toPrintable(command))
  log({ timeMs: nowMs(), level: 'info', text: `$ ${redacted}` })
  const hint = createNetworkHint(network, step)
  const missing = createMissingProgram({ network, installs: job.build.install_command !== null })
  const adapter = createMissingAdapter()
  const excerpt = createExcerpt()
  const ended = await runSandboxed({
    isolation,
    workspace,
    command,
    directory,
    env,
    disk: deps.disk,
    limits: { ...limitsFrom(buildCaps), wallMs: Math.max(1, endMs - performance.now()) },
    network,
    node: deps.node,
    redactor,
    signal,
    nowMs,
    onLine({ text, stream, timeMs }) {
      hint.look(text)
      missing.look(text)
      adapter.look(text)
      log({ text, timeMs, level: levelOf(excerpt.add({ text, stream })) })
    },
  })
  if (ended.how === 'aborted') throw signal.reason
  const error = describeEnd(ended, `\`${begin(redacted)}\``, buildCaps)
  if (!error) return { error, excerpt }
  const advice = missing.sentence() ?? adapter.sentence() ?? hint.sentence()
  const isExplained = error.reason === 'build_failed' && advice !== undefined
  const message = isExplained ? `${error.message} ${advice}` : error.message
  return { error: withExcerpt({ ...error, message }, excerpt.lines()), excerpt }
}

/** The network of a build's commands. */
export function networkOf(
  { network, untrustedNetwork }: CommandDeps,
  { untrusted }: Pick<BuildJob, 'untrusted'>,
): BuildNetwork {
  return untrusted ? untrustedNetwork : network
}

/** The error with the lines that say why, if there are any. */
export function withExcerpt(error: BuildError, lines: string[]): BuildError {
  return lines.length > 0 ? { ...error, excerpt: lines } : error
}

/** The length to which a command is cut in messages. */
const shownLength = 100

function begin(command: string): string {
  return command.length > shownLength ? `${command.slice(0, shownLength).toWellFormed()}…` : command
}

/** Writes a line of the platform's own to the log of a build. */
export function say(
  { nowMs }: Pick<CommandDeps, 'nowMs'>,
  { log, redactor }: Pick<Run, 'log' | 'redactor'>,
  text: string,
  level: LineLevel = 'info',
): void {
  log({ timeMs: nowMs(), level, text: redactor.redact(text) })
}
