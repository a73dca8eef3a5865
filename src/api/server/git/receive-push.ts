/** Receives a push: its pack in a place of the node, and in the repository from which it is deployed. */
import type { FastifyReply } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { holdRepository, releaseRepository } from '../../../platform/git/holds.ts'
import type { PushRequest } from '../../../platform/git/push-request.ts'
import { receivePack } from '../../../platform/git/receive-pack.ts'
import { discard, findRepository, newRepository } from '../../../platform/git/repositories.ts'
import { whileDiskHasSpace } from '../../../stores/data-dir/disk-reserve.ts'
import { contextOf } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { refusalOf } from '../http/errors.ts'
import { type Answer, createAnswer } from './answer.ts'
import { deployPush } from './deploy-push.ts'
import { logPush, refusedPush } from './note-push.ts'
import { type PlacedPack, placePack } from './place-pack.ts'
import { type Exchange, type Plan, planPush } from './plan-push.ts'
import type { Place } from './push-place.ts'

/** `releaseStart` frees the room of what was held of the pack before it had a place. */
type Push = { place: Place; push: PushRequest; releaseStart: () => void }

/**
 * Resolves once the pack has been taken and the answer begins; what follows goes on without the pusher, too.
 * Git shows nothing of a response with another status than 200, so a refusal is an answer as well.
 * @throws AppError for a pack that did not arrive.
 */
export async function receivePush(deps: ServerDeps, exchange: Exchange, pushed: Push): Promise<unknown> {
  const { reply } = exchange
  const { push } = pushed
  reply.type('application/x-git-receive-pack-result').header('cache-control', 'no-cache')
  // How git tests its credentials before it sends much.
  if (push.updates.length === 0) return reply.send('')
  const answer = createAnswer(push.capabilities)
  try {
    await receive(deps, exchange, { ...pushed, answer })
    return reply.send(answer.body)
  } catch (error) {
    answer.body.destroy()
    throw error
  }
}

async function receive(
  deps: ServerDeps,
  exchange: Exchange,
  { place, push, releaseStart, answer }: Push & { answer: Answer },
): Promise<void> {
  const { request, reply } = exchange
  const refuse = (error: unknown): AppError => {
    const { error: refusal } = refusalOf(deps.log, error, request)
    answer.say(refusal.message)
    return refusal
  }
  const { teamId } = place
  const signal = AbortSignal.any([deps.stopping, whenGone(reply)])
  let plan: Plan
  let pack: PlacedPack
  try {
    plan = await planPush(deps, exchange, place, push)
    pack = await placePack(deps, { teamId, body: push.body, signal, releaseStart })
  } catch (error) {
    releaseStart()
    // Unread, it would be in the way of the answer.
    for await (const _ of push.body);
    const { reason, message } = refuse(error)
    await logPush(deps.services, place, [refusedPush(message)])
    answer.end({ refused: undefined, refs: new Map(push.updates.map(({ ref }) => [ref, reason])) })
    return
  }
  const { received, ...kept } = await pack.receive(async (body, signal) => {
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
  deployPush({ deps, ctx, place, answer, plan, refuse, ...kept }, received).catch((err: unknown) =>
    deps.log.error({ err }, 'The repository of a push could not be tidied up.'),
  )
}

/** Aborts when the connection ends before the response does. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const left = new AppError('malformed_request', 'The connection closed before the end of the push.')
  raw.once('close', () => gone.abort(left))
  return gone.signal
}
