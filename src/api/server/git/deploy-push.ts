/** Deploys a push that was received, which decides over its refs, and answers it. */
import pLimit from 'p-limit'
import type { AppError } from '../../../lib/errors.ts'
import type { Principal } from '../../../platform/callers/principal.ts'
import { branchNameOf, branchPrefix, commitsOf } from '../../../platform/git/branches.ts'
import { deleteBranches } from '../../../platform/git/delete-branches.ts'
import { releaseRepository } from '../../../platform/git/holds.ts'
import type { Received } from '../../../platform/git/receive-pack.ts'
import { adopt, alignRefs, discard, isIncoming } from '../../../platform/git/repositories.ts'
import { tidyRepository } from '../../../platform/git/tidy-repository.ts'
import { getProject, type KnownProject } from '../../../platform/projects/read-project.ts'
import type { Context } from '../../trpc/context.ts'
import type { ServerDeps } from '../deps.ts'
import type { Answer } from './answer.ts'
import { callProcedure } from './call-procedure.ts'
import { deployBranch } from './deploy-branch.ts'
import { logPush, pushedRefs, refusedPush } from './note-push.ts'
import type { Plan, PlannedBranch } from './plan-push.ts'
import type { Place } from './push-place.ts'

/** How many of the branches are read at once. */
const branchesAtATime = 2

type Work = {
  deps: ServerDeps
  ctx: Context
  place: Place
  answer: Answer
  /** The repository that has what was received. */
  directory: string
  /** The hold that keeps the repository from being thrown away, until the answer has ended. */
  hold: string
  plan: Plan
  /** Says the message of an error, and returns the refusal for the report. */
  refuse: (error: unknown) => AppError
}

/** Deploys what was received, ends the answer, and tidies the repository up. */
export async function deployPush(work: Work, received: Received): Promise<void> {
  const { deps, place, answer, directory, hold, refuse } = work
  const used = await deploy(work, received).catch(async (error: unknown): Promise<Used> => {
    const { reason, message } = refuse(error)
    refuseTaken(received, reason)
    await logPush(deps.services, place, [refusedPush(message)]).catch(refuse)
    return { directory, projectId: place.project?.id }
  })
  answer.end(received)
  await releaseRepository(used.directory, hold)
  await discard(deps.git, directory)
  await tidy(deps, { ...used, teamId: place.teamId }, received)
}

/** The repository that a push went to, and whose it is; of what made no project it is nobody's. */
type Used = { directory: string; projectId: string | undefined }

/**
 * Deploys what was received, and notes in `received` what did not become a deployment. Resolves to the
 * repository, which may have become the project's.
 */
async function deploy(work: Work, received: Received): Promise<Used> {
  const { deps, answer, place } = work
  const { deployed, target } = work.plan
  const { git } = deps
  // The pack may have taken long.
  const ctx = { ...work.ctx, principal: await work.ctx.authenticateAgain() }
  const taken = deployed.filter(({ ref }) => received.refs.has(ref) && received.refs.get(ref) === undefined)
  sayOthers(answer, received)
  const deleted = deletedIn(received, deployed)
  const notDeleted = await deleteTaken(work, { ctx, received, deleted })
  await logPush(deps.services, place, pushedRefs({ received, deployed, deleted, notDeleted }))
  if (taken.length === 0) return { directory: work.directory, projectId: place.project?.id }
  const project = place.project ?? (await makeProject(deps, ctx, place.name))
  if (!place.project) answer.say(`Created project ${project.name}.`)
  const directory = await adopt(git, work.directory, { teamId: place.teamId, projectId: project.id })
  const names = taken.map(({ name }) => name)
  const two = pLimit(branchesAtATime)
  const inTurn = <T>(read: () => Promise<T>) => two(() => whileReading(deps, place.teamId, read))
  await Promise.all(
    taken.map(async ({ name, ref, commit }) => {
      const said = names.length === 1 ? answer.say : (text: string) => answer.say(`${name}: ${text}`)
      const branch = { project, names, name, commit, target }
      const refusal = await deployBranch({ deps, ctx, directory, say: said, inTurn }, branch).catch(
        (error: unknown) => work.refuse(error).reason,
      )
      received.refs.set(ref, refusal)
    }),
  )
  return { directory, projectId: project.id }
}

/** Runs what reads what was received, when it is its team's turn. */
async function whileReading<T>(
  { gitLeases, stopping }: ServerDeps,
  teamId: string,
  read: () => Promise<T>,
): Promise<T> {
  const lease = await gitLeases.reading.take(teamId, stopping)
  return read().finally(lease.end)
}

/** The most refs that are no branches and are named. */
const maxNamed = 20

function sayOthers(answer: Answer, { refs }: Received): void {
  const others = [...refs.keys()].filter((ref) => !ref.startsWith(branchPrefix))
  for (const ref of others.slice(0, maxNamed)) answer.say(`${ref} is not deployed: branches are.`)
  if (others.length > maxNamed) answer.say(`Nor are ${others.length - maxNamed} others.`)
}

/** The names of branches that git deleted. */
function deletedIn({ refs }: Received, deployed: PlannedBranch[]): string[] {
  const kept = new Set(deployed.map(({ ref }) => ref))
  return [...refs]
    .filter(([ref, problem]) => ref.startsWith(branchPrefix) && problem === undefined && !kept.has(ref))
    .map(([ref]) => branchNameOf(ref))
}

type Deleting = { ctx: Context & { principal: Principal }; received: Received; deleted: string[] }

/** Their addresses go with them. Resolves to why they stay, if they do, which `received` has by then, too. */
async function deleteTaken(
  { deps, place, refuse }: Work,
  { ctx, received, deleted }: Deleting,
): Promise<string | undefined> {
  const { project } = place
  if (!project || deleted.length === 0) return undefined
  try {
    await deleteBranches(deps.services, ctx, { project, names: deleted })
    return undefined
  } catch (error) {
    const { reason } = refuse(error)
    for (const name of deleted) received.refs.set(branchPrefix + name, reason)
    return reason
  }
}

/** Refuses all that git took. */
function refuseTaken({ refs }: Received, reason: string): void {
  for (const [ref, problem] of refs)
    if (ref.startsWith(branchPrefix) && problem === undefined) refs.set(ref, reason)
}

async function makeProject(
  { services }: ServerDeps,
  ctx: Context & { principal: Principal },
  name: string,
): Promise<KnownProject> {
  await callProcedure(ctx, 'projects.put', { project: name })
  return getProject(services, ctx.principal, name)
}

async function tidy(
  deps: ServerDeps,
  { directory, projectId, teamId }: Used & { teamId: string },
  { refs }: Received,
): Promise<void> {
  const { git, repositories, services } = deps
  if (isIncoming(git, directory)) return
  const isAsDeployed = [...refs].every(
    ([ref, problem]) => ref.startsWith(branchPrefix) && problem === undefined,
  )
  // Each ref is a file, and nobody has to look at the repository before the next push.
  if (projectId !== undefined && !isAsDeployed)
    await alignRefs(directory, await commitsOf(services.store.db, projectId))
  await tidyRepository(directory, services.nowMs(), (repack) => whileReading(deps, teamId, repack))
  await repositories.afterPush({ directory, team: teamId }, services.nowMs())
}
