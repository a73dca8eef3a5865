/** Runs a deployment's commands on its sources, and collects the output. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { findFirstPages } from '../../lib/frameworks/first-pages.ts'
import { namesOnDisk } from '../../lib/frameworks/names-on-disk.ts'
import { wasStatic } from '../deployments/last-ready.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import type { FileList } from '../sites/file-list.ts'
import { collectOutput } from './collect-output.ts'
import { timedOut } from './describe-end.ts'
import type { Excerpt } from './excerpt/excerpt.ts'
import { type LeftServer, leaveServer } from './leave-server.ts'
import { provideManager } from './managers/provide-manager.ts'
import { planServer, type ServerPlan } from './plan-server.ts'
import { readServerFacts } from './read-server-facts.ts'
import { type CommandDeps, networkOf, type Run, runStep, say, withExcerpt } from './run-step.ts'
import { writeSources } from './write-sources.ts'

/** The files of a site, and the server beside them, if there is one. */
export type Built = FileList & { left?: LeftServer }

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
): Promise<Built | { error: BuildError }> {
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
): Promise<Built | { error: BuildError }> {
  const { job, workspace } = run
  const { install_command, build_command, root_directory, output_directory } = job.build
  await writeSources({ ...deps, db: deps.store.db }, job.sourceManifestId, workspace, withinTime)
  if (!(await isDirectory(join(workspace.files, root_directory)))) {
    const directory = JSON.stringify(root_directory)
    const message = `There is no directory ${directory} among the files: set root_directory.`
    return { error: { reason: 'build_failed', message } }
  }
  const root = join(workspace.files, root_directory)
  const sources = namesOnDisk(root)('')
  const before = await findFirstPages(root)
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
    const step = { step: 'install', command: install_command, directory: root_directory, endMs } as const
    const { error } = await runStep(deps, run, step, signal)
    if (error) return { error }
    await cache?.keepPackages(withinTime)
  }
  await cache?.restoreResults(withinTime)
  let printed: Excerpt | undefined
  if (build_command !== null) {
    say(deps, run, 'Building…')
    const step = { step: 'build', command: build_command, directory: root_directory, endMs } as const
    const { error, excerpt } = await runStep(deps, run, step, signal)
    if (error) return { error }
    printed = excerpt
  }
  const plan = await planOf(deps, run, sources)
  if (plan.kind === 'error') return { error: { reason: 'build_failed', message: plan.message } }
  if (plan.kind === 'server') {
    say(deps, run, `Its server starts with \`${plan.command}\`: ${plan.sign}.`)
    return leaveServer(deps, run, plan, { endMs, signal, withinTime })
  }
  if (plan.remark !== undefined) say(deps, run, plan.remark)
  const output = {
    teamId: job.teamId,
    workspace,
    rootDirectory: root_directory,
    outputDirectory: output_directory,
    before,
  }
  const collected = await collectOutput(deps, output, withinTime)
  if ('files' in collected) return collected
  const message = plan.advice === undefined ? collected.problem : `${collected.problem} ${plan.advice}`
  // A command may print an error, and yet end as if there were none.
  return { error: withExcerpt({ reason: 'build_failed', message }, printed?.errors() ?? []) }
}

/** `sources` are the names at the root before its commands. */
async function planOf(
  { store }: CommandDeps,
  { job, workspace }: Run,
  sources: ReadonlySet<string>,
): Promise<ServerPlan> {
  const { start, root_directory: root, output_directory: output } = job.build
  const facts = await readServerFacts({ files: workspace.files, root, output }, sources)
  return planServer({
    ...facts,
    start: start ?? undefined,
    wasStatic: typeof start !== 'string' && (await wasStatic(store.db, job.projectId)),
  })
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
