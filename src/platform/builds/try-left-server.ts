/** Tries the server that a build left, with its lines in the log of the build. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DeploymentServer } from '../../stores/db/schema/projects.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { runtimeOf } from '../projects/runtime-settings.ts'
import { droppedText } from '../servers/lines.ts'
import { serverMemory } from '../servers/server-memory.ts'
import { tryServer } from '../servers/trial.ts'
import { type CommandDeps, type Run, say } from './run-step.ts'

const run = promisify(execFile)

/** `root` has the files of the server, relative to those of the workspace. */
type Left = { server: DeploymentServer; root: string }

const noSockets: BuildError = {
  reason: 'builds_not_available',
  message: 'This node runs no servers: its SVC_DATA_DIR is too long for the paths of their sockets.',
}

const noSandbox: BuildError = {
  reason: 'builds_not_available',
  message: 'Servers run in a sandbox only, and this node has none (SVC_BUILD_SANDBOX).',
}

/**
 * Starts it as it will run, and ends it; resolves to the error of a build whose server doesn't start.
 * @throws the reason of `signal` when that aborts.
 */
export async function tryLeftServer(
  deps: CommandDeps,
  { job, workspace, server: own, redactor, log }: Run,
  { server, root }: Left,
  signal: AbortSignal,
): Promise<BuildError | undefined> {
  if (deps.isolation === 'none') return noSandbox
  if (deps.servers === undefined) return noSockets
  const files = join(workspace.files, root)
  // It runs as another user, whatever the mask of the build was.
  await run('chmod', ['-R', 'a+rX', '--', files])
  const runtime = runtimeOf(job.runtime)
  say(deps, { log, redactor }, 'Trying the server…')
  let dropped = 0
  const failed = await tryServer(
    deps.servers,
    {
      files,
      command: server.command,
      directory: server.directory,
      caches: server.caches,
      env: { ...server.env, ...own.env },
      host: own.host,
      memoryBytes: serverMemory(runtime, job.untrusted),
      healthPath: runtime.health_path ?? undefined,
      redactor,
      onLine: ({ text, timeMs }) => log({ text, timeMs, level: 'info' }),
      onDropped(lines) {
        dropped += lines
      },
    },
    signal,
  )
  if (dropped > 0) say(deps, { log, redactor }, droppedText(dropped))
  return failed && { reason: 'start_failed', ...failed }
}
