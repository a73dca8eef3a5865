/** Runs the release command before the server of a build is tried, with its lines in the log of the build. */
import { setTimeout as wait } from 'node:timers/promises'
import { toPrintable } from '../../lib/names/printable.ts'
import type { DeploymentServer } from '../../stores/db/schema/projects.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import {
  beginRelease,
  endRelease,
  extendRelease,
  type ReleaseTurn,
  releaseLeaseMs,
} from '../deployments/queued/release.ts'
import { runtimeOf } from '../projects/runtime-settings.ts'
import { droppedText } from '../servers/lines.ts'
import { runRelease } from '../servers/run-release.ts'
import type { ServerDeps } from '../servers/server-process.ts'
import { reachOf } from '../servers/way-out/plan.ts'
import { type CommandDeps, type Run, say } from './run-step.ts'

/** How often a command looks whether another one of its project has ended. */
const lookMs = 1_000

/** `signal` ends the build, `withinTime` at its limit, too. */
type Within = { signal: AbortSignal; withinTime: AbortSignal }

const lost =
  'The worker was lost while the release command ran. It is never begun twice for a deployment: ' +
  'find out what it has done, and deploy again.'

/**
 * The error of a build whose release command fails; undefined where it has ended as it should, where there is
 * none, and for what somebody outside the team wrote. It sees all files of the build, in the root directory.
 * @throws the reason of `withinTime` when `signal` aborts.
 */
export async function releaseServer(
  deps: CommandDeps & { servers: ServerDeps },
  run: Run,
  server: DeploymentServer,
  within: Within,
): Promise<BuildError | undefined> {
  const { job } = run
  const { release } = runtimeOf(job.runtime)
  if (release === null || job.untrusted) return undefined
  try {
    const turn = await takeTurn(deps, run, within.withinTime)
    if (turn === 'ended') {
      say(deps, run, 'The release command has run already.')
      return undefined
    }
    if (turn === 'lost') return failed(lost)
    say(deps, run, `Releasing…`)
    say(deps, run, `$ ${toPrintable(release)}`)
    return await runInTurn(deps, run, { server, release }, within.withinTime)
  } catch (error) {
    if (!within.withinTime.aborted || within.signal.aborted) throw error
    return failed(
      `The release command did not end within the time of a build (${deps.buildCaps.timeoutS} s).`,
    )
  }
}

const failed = (message: string): BuildError => ({ reason: 'release_failed', message })

async function takeTurn(
  deps: CommandDeps,
  run: Run,
  signal: AbortSignal,
): Promise<Exclude<ReleaseTurn, 'occupied'>> {
  for (let isSaid = false; ; isSaid = true) {
    const turn = await beginRelease(deps, run.job, run.job.projectId)
    if (turn !== 'occupied') return turn
    if (!isSaid) say(deps, run, 'Waiting for the release command of another deployment of the project…')
    await wait(lookMs, undefined, { signal })
  }
}

type Releasing = { server: DeploymentServer; release: string }

async function runInTurn(
  deps: CommandDeps & { servers: ServerDeps },
  run: Run,
  releasing: Releasing,
  signal: AbortSignal,
): Promise<BuildError | undefined> {
  const { id } = run.job
  const extend = () => void extendRelease(deps, id).catch(() => {})
  const timer = setInterval(extend, releaseLeaseMs / 3)
  let isDone = false
  try {
    const problem = await runIt(deps, run, releasing, signal)
    isDone = problem === undefined
    return problem && { reason: 'release_failed', ...problem }
  } finally {
    clearInterval(timer)
    await endRelease(deps, id, isDone)
  }
}

async function runIt(
  deps: CommandDeps & { servers: ServerDeps },
  { job, workspace, server: own, redactor, log }: Run,
  { server, release }: Releasing,
  signal: AbortSignal,
) {
  const runtime = runtimeOf(job.runtime)
  const reach = reachOf(runtime, job.untrusted)
  const sayLine = (text: string) => say(deps, { log, redactor }, text)
  let dropped = 0
  const problem = await runRelease(
    deps.servers,
    {
      files: workspace.files,
      owner: workspace.owner,
      command: release,
      directory: job.build.root_directory,
      env: { ...server.env, ...own.env },
      memoryBytes: runtime.memory_bytes,
      leaving: reach && { team: { id: job.teamId, slug: job.teamSlug }, reach },
      redactor,
      onLine: ({ text, timeMs }) => log({ text, timeMs, level: 'info' }),
      onDropped(lines) {
        dropped += lines
      },
      onRefused: sayLine,
    },
    signal,
  )
  if (dropped > 0) sayLine(droppedText(dropped))
  return problem
}
