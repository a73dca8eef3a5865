/** Completes a build whose deployment has a server: what is served, what is kept, and whether it starts. */
import { join } from 'node:path'
import type { ServerOutput } from '../../lib/frameworks/server-output.ts'
import type { DeploymentServer } from '../../stores/db/schema/projects.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { collectKept, type Kept } from '../servers/kept-files/collect-kept.ts'
import type { FileList } from '../sites/file-list.ts'
import { collectAssets } from './collect-assets.ts'
import type { Collected } from './collect-output.ts'
import { collectServed, namedOutput } from './collect-served.ts'
import type { PlannedServer } from './plan-server.ts'
import { prunePackages } from './prune-packages.ts'
import { releaseServer } from './release-server.ts'
import { type CommandDeps, type Run, runStep, say } from './run-step.ts'
import { findServerPlace, type ServerPlace } from './server-place.ts'
import { tryLeftServer } from './try-left-server.ts'

/** A server with its files. */
export type LeftServer = { server: DeploymentServer; kept: Kept }

/** `endMs` is a time of `performance.now()`; `signal` ends the build, `withinTime` at its limit, too. */
type Within = { endMs: number; signal: AbortSignal; withinTime: AbortSignal }

/**
 * The files that the edge serves, and the server, whose release command has run, and which has been tried; or
 * the error of the build. All processes of its commands must have ended.
 * @throws as `runCommands` does.
 */
export async function leaveServer(
  deps: CommandDeps,
  run: Run,
  { command, output }: PlannedServer,
  within: Within,
): Promise<(FileList & { left: LeftServer }) | { error: BuildError }> {
  const { job, workspace } = run
  const { teamId, build } = job
  const { withinTime } = within
  const place = await placeOf(run, output)
  const error =
    (output && (await completeOutput(deps, run, output, within))) ??
    (output?.kept ? undefined : await prune(deps, run, { root: place.root, start: command }, within))
  if (error) return { error }
  const served = output
    ? await collectAssets(
        deps,
        { teamId, workspace, rootDirectory: build.root_directory, output },
        withinTime,
      )
    : await collectNamed(deps, run, withinTime)
  if ('problem' in served) return failed(served.problem)
  const only = output?.kept
  const kept = await collectKept(deps, { teamId, workspace, directory: place.root, only }, withinTime)
  if ('problem' in kept) return failed(kept.problem)
  const { version: node, platform } = deps.node
  const own = output && { caches: output.caches.map((path) => join(place.directory, path)), env: output.env }
  const server = { command, directory: place.directory, node, platform, ...own }
  const { servers } = deps
  if (deps.isolation === 'none') return { error: noSandbox }
  if (servers === undefined) return { error: noSockets }
  const refusal =
    (await releaseServer({ ...deps, servers }, run, server, within)) ??
    (await tryLeftServer({ ...deps, servers }, run, { server, root: place.root, kept }, withinTime))
  return refusal ? { error: refusal } : { ...served, left: { server, kept } }
}

const noSockets: BuildError = {
  reason: 'builds_not_available',
  message: 'This node runs no servers: its SVC_DATA_DIR is too long for the paths of their sockets.',
}

const noSandbox: BuildError = {
  reason: 'builds_not_available',
  message: 'Servers run in a sandbox only, and this node has none (SVC_BUILD_SANDBOX).',
}

/** The root directory for an output that is complete by itself, else the place of all that is installed. */
async function placeOf(
  { job: { build }, workspace }: Run,
  output: ServerOutput | undefined,
): Promise<ServerPlace> {
  return output?.kept
    ? { root: build.root_directory, directory: '.' }
    : findServerPlace(workspace.files, build.root_directory)
}

async function completeOutput(
  deps: CommandDeps,
  run: Run,
  { completion }: ServerOutput,
  { endMs, signal }: Within,
): Promise<BuildError | undefined> {
  if (completion === undefined) return undefined
  const directory = run.job.build.root_directory
  const { error } = await runStep(
    deps,
    run,
    { step: 'complete', command: completion, directory, endMs },
    signal,
  )
  return error
}

async function prune(
  deps: CommandDeps,
  run: Run,
  { root, start }: { root: string; start: string },
  { endMs, signal }: Within,
): Promise<BuildError | undefined> {
  return prunePackages(deps, run, { root, folder: run.job.build.root_directory, start, endMs }, signal)
}

/** The files in the output directory, where a setting names it. */
async function collectNamed(deps: CommandDeps, run: Run, signal: AbortSignal): Promise<Collected> {
  const { job, workspace } = run
  const outputDirectory = namedOutput(job)
  const place = { teamId: job.teamId, workspace, rootDirectory: job.build.root_directory }
  const served = await collectServed(deps, { ...place, outputDirectory }, signal)
  if ('files' in served && outputDirectory !== undefined && served.files.length === 0)
    say(deps, run, `There are no files in ${outputDirectory}: the server gets all requests.`, 'warn')
  return served
}

const failed = (message: string) => ({ error: { reason: 'build_failed', message } }) as const
