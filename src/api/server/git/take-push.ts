/** Takes a push: its objects first, then each branch becomes a deployment, whose end decides over the ref. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { AppError } from '../../../lib/errors.ts'
import { shellWord } from '../../../lib/names/shell-word.ts'
import type { Principal } from '../../../platform/auth/principal.ts'
import { branchPrefix, commitsOf, requireShortRefs } from '../../../platform/git/branches.ts'
import { deleteBranches } from '../../../platform/git/delete-branches.ts'
import { holdRepository, releaseRepository } from '../../../platform/git/holds.ts'
import { type GitLine, logGit } from '../../../platform/git/log-lines.ts'
import type { PushRequest, RefUpdate } from '../../../platform/git/push-request.ts'
import { type Received, receivePack } from '../../../platform/git/receive-pack.ts'
import {
  adopt,
  alignRefs,
  discard,
  findRepository,
  isIncoming,
  newRepository,
} from '../../../platform/git/repositories.ts'
import { tidyRepository } from '../../../platform/git/tidy-repository.ts'
import { getProject, type KnownProject } from '../../../platform/projects/read.ts'
import { whileDiskHasSpace } from '../../../stores/data-dir/disk-reserve.ts'
import type { Context } from '../../trpc/context.ts'
import type { ServerDeps } from '../deps.ts'
import { refusalOf } from '../http/errors.ts'
import { limitCaller } from '../limit-requests.ts'
import { contextOf } from '../request-state.ts'
import { type Answer, createAnswer } from './answer.ts'
import { callProcedure } from './call-procedure.ts'
import { deployBranch } from './deploy-branch.ts'
import { pushedRefs, refusedPush } from './note-push.ts'
import type { Place } from './place.ts'
import { type PlacedPack, placePack } from './place-pack.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** `releaseStart` frees the room of what was held of the pack before it had a place. */
type Push = { place: Place; push: PushRequest; releaseStart: () => void }

/** The most branches that one push deploys. */
const maxDeployed = 20

/** How many of the branches are read at once. */
const branchesAtATime = 2

/** The most of a push option in an error, in UTF-16 code units. */
const maxOptionLength = 100

/** The branches that are deployed, by their names. */
type Deployed = { name: string; ref: string; commit: string }

/**
 * Resolves once the pack has been taken and the answer begins; what follows goes on without the pusher, too.
 * Git shows nothing of a response with another status than 200, so a refusal is an answer as well.
 * @throws AppError for a pack that did not arrive.
 */
export async function takePush(deps: ServerDeps, exchange: Exchange, pushed: Push): Promise<unknown> {
  const { reply } = exchange
  const { push } = pushed
  reply.type('application/x-git-receive-pack-result').header('cache-control', 'no-cache')
  // How git tests its credentials before it sends much.
  if (push.updates.length === 0) return reply.send('')
  const answer = createAnswer(push.capabilities)
  try {
    await take(deps, exchange, { ...pushed, answer })
    return reply.send(answer.body)
  } catch (error) {
    answer.body.destroy()
    throw error
  }
}

async function take(
  deps: ServerDeps,
  exchange: Exchange,
  { place, push, releaseStart, answer }: Push & { answer: Answer },
): Promise<void> {
  const { request, reply } = exchange
  const refusalFor = (error: unknown): AppError => {
    const { error: refusal } = refusalOf(deps.log, error, request)
    answer.say(refusal.message)
    return refusal
  }
  const refuse = (error: unknown) => refusalFor(error).reason
  const { teamId } = place
  const signal = AbortSignal.any([deps.stopping, whenGone(reply)])
  let plan: Plan
  let pack: PlacedPack
  try {
    plan = await planOf(deps, exchange, place, push)
    pack = await placePack(deps, { teamId, body: push.body, signal, releaseStart })
  } catch (error) {
    releaseStart()
    // Unread, it would be in the way of the answer.
    for await (const _ of push.body);
    const { reason, message } = refusalFor(error)
    await note(deps, place, [refusedPush(message)])
    answer.end({ refused: undefined, refs: new Map(push.updates.map(({ ref }) => [ref, reason])) })
    return
  }
  const { directory, hold, received } = await pack.receive(async (body, signal) => {
    const owner = { teamId, projectId: place.project?.id }
    const directory = (await findRepository(deps.git, owner)) ?? (await newRepository(deps.git))
    const hold = await holdRepository(directory)
    try {
      const onProgress = answer.pass
      return {
        directory,
        hold,
        received: await whileDiskHasSpace(deps.disk, signal, (signal) =>
          receivePack(directory, { ...push, body }, { onProgress, signal }),
        ),
      }
    } catch (error) {
      await releaseRepository(directory, hold)
      await discard(deps.git, directory)
      throw error
    }
  })
  const ctx = contextOf(deps, request, reply)
  finish({ deps, ctx, place, answer, directory, plan, refuse }, received)
    .catch(async (error: unknown) => {
      const { reason, message } = refusalFor(error)
      refuseTaken(received, reason)
      await note(deps, place, [refusedPush(message)]).catch(refuse)
      return { directory, projectId: place.project?.id }
    })
    .then(async (used) => {
      answer.end(received)
      await releaseRepository(used.directory, hold)
      await discard(deps.git, directory)
      await tidy(deps, { ...used, teamId }, received)
    })
    .catch((err: unknown) => deps.log.error({ err }, 'The repository of a push could not be tidied up.'))
}

/** Aborts when the connection ends before the response does. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const left = new AppError('malformed_request', 'The connection closed before the end of the push.')
  raw.once('close', () => gone.abort(left))
  return gone.signal
}

/** In the log of the project, where there is one. */
async function note({ services }: ServerDeps, { teamId, project }: Place, lines: GitLine[]): Promise<void> {
  if (!project) return
  await logGit(services.store.db, { teamId, projectId: project.id }, lines, services.nowMs())
}

/** The repository that a push went to, and whose it is; of what made no project it is nobody's. */
type Used = { directory: string; projectId: string | undefined }

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

type Plan = { deployed: Deployed[]; target: 'production' | 'preview' | undefined }

/** @throws AppError for what refuses the push before its pack is read. */
async function planOf(deps: ServerDeps, exchange: Exchange, place: Place, push: PushRequest): Promise<Plan> {
  await deps.disk.require()
  requireShortRefs(push.updates.map(({ ref }) => ref))
  const target = targetIn(push.options)
  const deployed = deployedIn(push.updates)
  await drawFor(deps, exchange, deployed.length + Number(!place.project))
  return { target, deployed }
}

type Work = {
  deps: ServerDeps
  ctx: Context
  place: Place
  answer: Answer
  directory: string
  plan: Plan
  /** Says the message of an error, and returns the reason for the report. */
  refuse: (error: unknown) => string
}

/**
 * Deploys what was received, and notes in `received` what did not become a deployment. Resolves to the
 * repository, which may have become the project's.
 */
async function finish(work: Work, received: Received): Promise<Used> {
  const { deps, answer, place } = work
  const { deployed, target } = work.plan
  const { git } = deps
  // The pack may have taken long.
  const ctx = { ...work.ctx, principal: await work.ctx.authenticateAgain() }
  const taken = deployed.filter(({ ref }) => received.refs.has(ref) && received.refs.get(ref) === undefined)
  sayOthers(answer, received)
  const deleted = deletedIn(received, deployed)
  const notDeleted = await deleteTaken(work, { ctx, received, deleted })
  await note(deps, place, pushedRefs({ received, deployed, deleted, notDeleted }))
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
        work.refuse,
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
function deletedIn({ refs }: Received, deployed: Deployed[]): string[] {
  const kept = new Set(deployed.map(({ ref }) => ref))
  return [...refs]
    .filter(([ref, problem]) => ref.startsWith(branchPrefix) && problem === undefined && !kept.has(ref))
    .map(([ref]) => nameOf(ref))
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
    const reason = refuse(error)
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

function nameOf(ref: string): string {
  return ref.slice(branchPrefix.length)
}

/** @throws AppError `malformed_request` for more than may be deployed at once. */
function deployedIn(updates: RefUpdate[]): Deployed[] {
  const found = updates.flatMap(({ ref, to }) =>
    to !== null && ref.startsWith(branchPrefix) ? { name: nameOf(ref), ref, commit: to } : [],
  )
  if (found.length > maxDeployed)
    throw new AppError(
      'malformed_request',
      `Push at most ${maxDeployed} branches at once, not ${found.length}. ` +
        'Begin with these, then the others: ' +
        `git push <remote> ${found
          .slice(0, maxDeployed)
          .map(({ name }) => shellWord(name))
          .join(' ')}`,
    )
  return found
}

/** @throws AppError `malformed_request` for an option that is not known. */
function targetIn(options: string[]): Plan['target'] {
  let target: Plan['target']
  for (const option of options) {
    const [, named] = /^target=(production|preview)$/.exec(option) ?? []
    if (named === undefined)
      throw new AppError(
        'malformed_request',
        `Unknown push option ${option.slice(0, maxOptionLength)}: ` +
          'there are target=production and target=preview.',
      )
    target = named === 'production' ? 'production' : 'preview'
  }
  return target
}

/** Draws from the caller's rate limit for each call that the push makes, besides the one for its request. */
function drawFor({ limits, services }: ServerDeps, exchange: Exchange, calls: number): Promise<void> {
  const { principal } = exchange.request
  if (!principal || calls === 0) return Promise.resolve()
  const limiting = { limits, observe: services.observe }
  return new Promise((resolve, reject) =>
    limitCaller(limiting, { principal, calls }, exchange, (refusal) =>
      refusal ? reject(refusal) : resolve(),
    ),
  )
}
