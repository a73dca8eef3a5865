/** Completes a build whose deployment has a server: what is served, what is kept, and whether it starts. */
import type { DeploymentServer } from '../../stores/db/schema/projects.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { collectKept, type Kept } from '../servers/kept-files/collect-kept.ts'
import type { FileList } from '../sites/file-list.ts'
import { collectServed, namedOutput } from './collect-served.ts'
import { prunePackages } from './prune-packages.ts'
import { type CommandDeps, type Run, say } from './run-step.ts'
import { findServerPlace } from './server-place.ts'
import { tryLeftServer } from './try-left-server.ts'

/** A server with its files. */
export type LeftServer = { server: DeploymentServer; kept: Kept }

/** `endMs` is a time of `performance.now()`; `signal` ends the build, `withinTime` at its limit, too. */
type Within = { endMs: number; signal: AbortSignal; withinTime: AbortSignal }

/**
 * The files that the edge serves, and the server, which has been tried; or the error of the build. All
 * processes of its commands must have ended.
 * @throws as `runCommands` does.
 */
export async function leaveServer(
  deps: CommandDeps,
  run: Run,
  command: string,
  { endMs, signal, withinTime }: Within,
): Promise<(FileList & { left: LeftServer }) | { error: BuildError }> {
  const { job, workspace } = run
  const { teamId, build } = job
  const place = await findServerPlace(workspace.files, build.root_directory)
  const installed = { root: place.root, folder: build.root_directory, start: command }
  const error = await prunePackages(deps, run, { ...installed, endMs }, signal)
  if (error) return { error }
  const outputDirectory = namedOutput(job)
  const served = await collectServed(
    deps,
    { teamId, workspace, rootDirectory: build.root_directory, outputDirectory },
    withinTime,
  )
  if ('problem' in served) return failed(served.problem)
  if (outputDirectory !== undefined && served.files.length === 0)
    say(deps, run, `There are no files in ${outputDirectory}: the server gets all requests.`, 'warn')
  const kept = await collectKept(deps, { teamId, workspace, directory: place.root }, withinTime)
  if ('problem' in kept) return failed(kept.problem)
  const { version: node, platform } = deps.node
  const server = { command, directory: place.directory, node, platform }
  const refusal = await tryLeftServer(deps, run, { server, root: place.root }, withinTime)
  return refusal ? { error: refusal } : { ...served, left: { server, kept } }
}

const failed = (message: string) => ({ error: { reason: 'build_failed', message } }) as const
