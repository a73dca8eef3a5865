/** Plans what a push deploys, within its bounds, before its pack is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { shellWord } from '../../../lib/names/shell-word.ts'
import { branchNameOf, branchPrefix, requireShortRefs } from '../../../platform/git/branches.ts'
import type { PushRequest, RefUpdate } from '../../../platform/git/push-request.ts'
import { limitCaller } from '../caller/limit-requests.ts'
import type { ServerDeps } from '../deps.ts'
import type { Place } from './push-place.ts'

/** A request, and the reply to it. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** A branch that is to be deployed. */
export type PlannedBranch = { name: string; ref: string; commit: string }

/** The branches that a push deploys; its target where the pusher names one. */
export type Plan = { deployed: PlannedBranch[]; target: 'production' | 'preview' | undefined }

/** The most branches that one push deploys. */
const maxDeployed = 20

/** The most of a push option in an error, in UTF-16 code units. */
const maxOptionLength = 100

/** The plan of a push. @throws AppError for what refuses the push before its pack is read. */
export async function planPush(
  deps: ServerDeps,
  exchange: Exchange,
  place: Place,
  push: PushRequest,
): Promise<Plan> {
  await deps.disk.require()
  requireShortRefs(push.updates.map(({ ref }) => ref))
  const target = targetIn(push.options)
  const deployed = deployedIn(push.updates)
  await drawFor(deps, exchange, deployed.length + Number(!place.project))
  return { target, deployed }
}

/** @throws AppError `malformed_request` for more than may be deployed at once. */
function deployedIn(updates: RefUpdate[]): PlannedBranch[] {
  const found = updates.flatMap(({ ref, to }) =>
    to !== null && ref.startsWith(branchPrefix) ? { name: branchNameOf(ref), ref, commit: to } : [],
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
