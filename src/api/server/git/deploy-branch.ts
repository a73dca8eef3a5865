/** Makes a deployment of a pushed branch, and follows its build. */
import { AppError } from '../../../lib/errors.ts'
import { warningText } from '../../../lib/warning-text.ts'
import type { Principal } from '../../../platform/callers/principal.ts'
import { deploymentSchema } from '../../../platform/deployments/deployment-output.ts'
import { wasStatic } from '../../../platform/deployments/last-ready.ts'
import { cancelOlder } from '../../../platform/deployments/queued/cancel-older.ts'
import { isFinal } from '../../../platform/deployments/state.ts'
import { waitForDeployment } from '../../../platform/deployments/wait.ts'
import { checkBranch, isNewest, moveBranch, notePush } from '../../../platform/git/branches.ts'
import { readCommit } from '../../../platform/git/commit.ts'
import { type GitLine, logGit } from '../../../platform/git/log-lines.ts'
import { openObjects } from '../../../platform/git/objects.ts'
import {
  findSettled,
  previewReason,
  productionBranchOf,
  settingCommand,
  settleProductionBranch,
} from '../../../platform/git/production-branch.ts'
import type { Remember } from '../../../platform/idempotency/once.ts'
import { listLogs } from '../../../platform/observability/logs/list-logs.ts'
import type { LogRow } from '../../../platform/observability/logs/row.ts'
import { holdSight } from '../../../platform/projects/hold-sight.ts'
import type { KnownProject } from '../../../platform/projects/read-project.ts'
import type { Context } from '../../trpc/context.ts'
import type { ServerDeps } from '../deps.ts'
import { callProcedure } from './call-procedure.ts'
import { pushedBranch } from './note-push.ts'

type Deps = {
  deps: ServerDeps
  ctx: Context & { principal: Principal }
  /** The repository that has the commit. */
  directory: string
  say: (text: string) => void
  /** Runs the reading of a commit when it is this branch's turn. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

type Branch = {
  project: KnownProject
  name: string
  commit: string
  /** All branches of the push. */
  names: string[]
  target: 'production' | 'preview' | undefined
}

type Deployment = ReturnType<typeof deploymentSchema.parse>

/**
 * Resolves once the deployment has ended: to undefined where it is ready, else to why the branch stays where
 * it was.
 */
export async function deployBranch(deps: Deps, branch: Branch): Promise<string | undefined> {
  let made: Deployment | undefined
  const note = (line: Pick<GitLine, 'level' | 'outcome'>) =>
    log(deps, branch, { ...line, deploymentId: made?.id })
  try {
    made = await deps.inTurn(() => create(deps, branch))
    await note({ level: 'info', outcome: 'Deployed.' })
    const refusal = await outcomeOf(deps, branch, made)
    if (refusal !== undefined) await note({ level: 'warn', outcome: `The push was refused: ${refusal}.` })
    return refusal
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'INTERNAL_SERVER_ERROR') {
      await note({ level: 'error', outcome: 'The server failed at it.' })
      throw error
    }
    const issues = (error.issues?.slice(1) ?? []).map(({ path, message }) => `${path}: ${message}`)
    for (const text of [error.message, ...issues]) deps.say(text)
    await note({ level: 'error', outcome: [error.message, ...issues].join(' ') })
    return error.reason
  }
}

function log(
  { deps: { services }, ctx }: Deps,
  branch: Branch,
  rest: Parameters<typeof pushedBranch>[1],
): Promise<void> {
  const owner = { teamId: ctx.principal.teamId, projectId: branch.project.id }
  return logGit(services.store.db, owner, [pushedBranch(branch, rest)], services.nowMs())
}

async function create({ deps, ctx, directory, say }: Deps, branch: Branch): Promise<Deployment> {
  const { project, name, commit, names } = branch
  const { services, stopping } = deps
  const { db } = services.store
  await checkBranch(db, { projectId: project.id, name })
  const objects = openObjects(directory, stopping)
  try {
    const source = { directory, objects, caps: services.caps, signal: stopping }
    const known = { ...project, wasStatic: () => wasStatic(db, project.id) }
    const read = await readCommit(source, { commit, branch: name }, known)
    const { files, sent, build, meta, remarks } = read
    for (const remark of remarks) say(remark)
    const production = await productionBranchOf(db, project.id, names)
    const target = branch.target ?? (production === name ? 'production' : 'preview')
    const input = { project: project.id, target, files, meta, build }
    // Reading may have waited for its turn.
    const principal = await ctx.authenticateAgain()
    const remember: Remember = (tx) => holdSight(tx, principal, project.id)
    const made = deploymentSchema.parse(
      await callProcedure({ ...ctx, principal, zip: sent, remember }, 'deployments.create', input),
    )
    if (
      services.installProblem !== undefined &&
      made.state === 'queued' &&
      made.build.install_command !== null
    )
      say(services.installProblem)
    const pushed = { projectId: project.id, createdMs: made.created_ms }
    await notePush(db, { ...pushed, name, deploymentId: made.id })
    const canceled = await cancelOlder(services, ctx, { ...pushed, branch: name, id: made.id })
    if (canceled > 0) say(`Canceled ${canceled} older, still queued.`)
    return made
  } finally {
    objects.close()
  }
}

/** How long a look at a build waits for its end. */
const lookMs = 1_000

async function outcomeOf(
  deps: Deps,
  { project, name, names, commit, target }: Branch,
  made: Deployment,
): Promise<string | undefined> {
  const {
    deps: { services, stopping },
    ctx,
    say,
  } = deps
  const { db } = services.store
  const tell = createTeller(deps, made.id)
  let found = made
  let isSaid = false
  while (!isFinal(found.state)) {
    if (found.state === 'queued' && !isSaid) say(`${found.id} is queued.`)
    isSaid = true
    const principal = await ctx.authenticateAgain()
    found = await waitForDeployment({ ...services, signal: stopping }, principal, made.id, lookMs)
    await (isFinal(found.state) ? tell.rest() : tell.settled())
    if (stopping.aborted && !isFinal(found.state)) return 'the server is stopping: the build goes on'
    const isLast = await isNewest(db, { projectId: project.id, name, deploymentId: made.id })
    if (!isLast) return 'superseded'
  }
  if (found.state !== 'ready') {
    if (found.error && tell.last() !== found.error.message) say(found.error.message)
    for (const line of found.error?.excerpt ?? []) say(line)
    return found.state === 'canceled'
      ? 'canceled'
      : (found.error?.reason.replaceAll('_', ' ') ?? 'build failed')
  }
  const isByItself = target === undefined && found.target === 'production'
  if (isByItself) await settleProductionBranch(db, project.id, name)
  await moveBranch(db, { projectId: project.id, name, deploymentId: made.id, commit })
  for (const warning of found.warnings) say(`Warning: ${warningText(warning)}`)
  const [address = found.url] = found.aliases
  if (!found.live) for (const alias of found.aliases) say(`Also at ${alias}`)
  say(
    found.live
      ? `Live: ${address}`
      : `${found.target === 'preview' ? 'Preview' : 'Ready, not live'}: ${found.url}`,
  )
  if (target === undefined && found.target === 'preview') {
    const production = await productionBranchOf(db, project.id, names)
    const why = previewReason(await findSettled(db, project.id), production)
    say(`A preview, since ${why}. An owner changes that: ${settingCommand(project.name, name)}`)
  }
  return undefined
}

/** Says the new lines of a build's log: those that are settled, or of an ended build all the rest. */
function createTeller({ deps: { services }, ctx, say }: Deps, deployment: string) {
  const filters = { kind: 'build', deployment, limit: linesAtOnce } as const
  const said = new Set<string>()
  let cursor: string | undefined

  let last: string | undefined

  function tell(lines: LogRow[]): void {
    for (const { id, message } of lines) {
      if (said.has(id)) continue
      say(message)
      said.add(id)
      last = message
    }
  }

  async function tellSettled(): Promise<void> {
    for (;;) {
      const page = await listLogs(services, ctx.principal, { ...filters, order: 'asc', cursor })
      tell(page.data)
      cursor = page.next_cursor ?? cursor
      if (page.data.length < linesAtOnce) return
    }
  }

  /** Newest first nothing is withheld, and an ended build writes no more. */
  async function tellRest(): Promise<void> {
    const rest: LogRow[] = []
    let before: string | undefined
    for (;;) {
      const page = await listLogs(services, ctx.principal, { ...filters, order: 'desc', cursor: before })
      rest.push(...page.data.filter(({ id }) => !said.has(id)))
      before = page.next_cursor ?? undefined
      if (before === undefined || page.data.some(({ id }) => said.has(id))) break
    }
    tell(rest.reverse())
  }

  return { settled: tellSettled, rest: tellRest, last: () => last }
}

/** The lines of the log that are read at a time. */
const linesAtOnce = 100
