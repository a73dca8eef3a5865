/** Tries the server that a build left, with its lines in the log of the build. */
import { copyFile, link } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeploymentServer } from '../../stores/db/schema/projects.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { runtimeOf } from '../projects/runtime-settings.ts'
import type { Kept } from '../servers/kept-files/collect-kept.ts'
import { layOut, makeCachePlaces } from '../servers/kept-files/lay-out.ts'
import { droppedText } from '../servers/lines.ts'
import { serverMemory } from '../servers/server-memory.ts'
import type { ServerDeps } from '../servers/server-process.ts'
import { tryServer } from '../servers/trial.ts'
import { reachOf, withoutRoute } from '../servers/way-out/plan.ts'
import { createForeignModule } from './foreign-module.ts'
import { type CommandDeps, type Run, say } from './run-step.ts'

/** `root` has the files of which some are `kept`, relative to those of the workspace. */
type Left = { server: DeploymentServer; root: string; kept: Kept }

/**
 * Starts it as it will run, with no other files, and ends it; resolves to the error of a build whose server
 * doesn't start.
 * @throws the reason of `signal` when that aborts.
 */
export async function tryLeftServer(
  deps: CommandDeps & { servers: ServerDeps },
  { job, workspace, server: own, redactor, log }: Run,
  { server, root, kept }: Left,
  signal: AbortSignal,
): Promise<BuildError | undefined> {
  const files = join(workspace.directory, 'kept')
  const from = join(workspace.files, root)
  await layOut(kept, files, ({ path }, to) => linkOrCopy(join(from, path), to), signal)
  await makeCachePlaces(files, server.caches)
  const runtime = runtimeOf(job.runtime)
  const reach = reachOf(runtime, job.untrusted)
  const sayLine = (text: string) => say(deps, { log, redactor }, text)
  sayLine('Trying the server…')
  if (reach && !deps.servers.wayOut.isRouted) sayLine(withoutRoute(reach, deps.node.version))
  const foreign = createForeignModule()
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
      leaving: reach && { team: { id: job.teamId, slug: job.teamSlug }, reach },
      healthPath: runtime.health_path ?? undefined,
      redactor,
      onLine({ text, timeMs }) {
        foreign.look(text)
        log({ text, timeMs, level: 'info' })
      },
      onDropped(lines) {
        dropped += lines
      },
      onRefused: sayLine,
    },
    signal,
  )
  if (dropped > 0) sayLine(droppedText(dropped))
  if (failed === undefined) return undefined
  const message = [failed.message, foreign.sentence(server)].filter(Boolean).join(' ')
  return { reason: 'start_failed', ...failed, message }
}

/** Not every file system has links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to))
}
