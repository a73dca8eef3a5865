/** Applies the caller's rate limit, from the headers alone, and sends its RateLimit headers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import type { Plan } from '../../../lib/plan.ts'
import type { Principal } from '../../../platform/callers/principal.ts'
import { addressBucket } from '../../../platform/limits/address-bucket.ts'
import type { LateRefusals } from '../../../platform/limits/late-refusals.ts'
import type { Draw } from '../../../platform/limits/limiter.ts'
import type { Limits } from '../../../platform/limits/open-limits.ts'
import {
  type Policy,
  type PolicyName,
  rateLimitHeader,
  retryAfterHeader,
} from '../../../platform/limits/policy.ts'
import type { ApiObserver } from '../../../platform/observability/observers.ts'
import type { Tokens } from '../../trpc/spend-token.ts'
import { cutOff } from '../http/cut-off.ts'

/** The state of a limit after a request drew from it, and what it got. */
export type Drawn = { policy: Policy; remaining: number; tokens: Tokens }

type Done = (refusal?: AppError) => void

type Exchange = { request: FastifyRequest; reply: FastifyReply }

type Deps = { limits: Limits; observe: Pick<ApiObserver, 'limited'> }

/** The calls of a request; opening a stream is limited apart from them. */
export type Calls = number | 'stream'

/** Draws one token per call from the caller's bucket, all or none. Calls back with a refusal or without. */
export function limitCaller(
  deps: Deps,
  { principal, calls }: { principal: Principal; calls: Calls },
  exchange: Exchange,
  done: Done,
): void {
  if (calls === 'stream') {
    drawFrom(deps, { policy: 'streams', id: principal.teamId, cost: 1 }, exchange, done)
    return
  }
  const { policy, id } = bucketOf(principal)
  const { burst } = deps.limits.of[policy].policy.rate
  if (calls <= burst) drawFrom(deps, { policy, id, cost: calls }, exchange, done)
  else {
    drawFrom(deps, { policy, id, cost: 1 }, exchange, (limited) =>
      done(limited ?? tooManyCalls(calls, burst)),
    )
  }
}

/**
 * A person's own for a session and the JWTs minted with it, so that clicking never competes with a team's
 * keys.
 */
function bucketOf(principal: Principal): Omit<Bucket, 'cost'> {
  const isPerson = 'sessionId' in principal && principal.sessionId !== null
  return isPerson
    ? { policy: 'session', id: principal.userId }
    : { policy: principal.plan, id: principal.teamId }
}

/** Draws once from the bucket of the client's address, for a request without a valid credential. */
export function limitAddress(deps: Deps, exchange: Exchange, done: Done): void {
  drawFrom(deps, bucketOfAddress(exchange), exchange, done)
}

function bucketOfAddress({ request }: Exchange): Bucket {
  return { policy: 'anonymous', id: addressBucket(request.address), cost: 1 }
}

/**
 * Gives the token of the client's address back, which turned out to be a forge's, and draws one from the
 * bucket of the project for which the forge's delivery is signed.
 * @throws AppError `rate_limited`.
 */
export async function limitDelivery(
  deps: Deps,
  { projectId, plan }: { projectId: string; plan: Plan },
  exchange: Exchange,
): Promise<void> {
  const { policy, id, cost } = bucketOfAddress(exchange)
  await deps.limits.of[policy].limiter.giveBack(id, cost)
  const who = `The forge of a project, whose team is on the ${plan} plan, may send`
  await new Promise<void>((resolve, reject) =>
    drawFrom(deps, { policy: plan, id: projectId, cost: 1, who }, exchange, (refusal) =>
      refusal ? reject(refusal) : resolve(),
    ),
  )
}

/** From which bucket, and how much of it; `who` may draw, where that isn't whom the policy is for. */
type Bucket = { policy: PolicyName; id: string; cost: number; who?: string }

function drawFrom(
  { limits, observe }: Deps,
  { policy: name, id, cost, who = allowances[name] }: Bucket,
  { request, reply }: Exchange,
  done: Done,
): void {
  const { policy, limiter } = limits.of[name]
  const settle = (draw: Draw): void => {
    request.drawn = {
      policy,
      remaining: draw.remaining,
      tokens: { kind: name === 'streams' ? 'streams' : 'calls', left: draw.allowed ? cost : 0 },
    }
    reply.header('ratelimit-policy', policy.header)
    reply.header('ratelimit', rateLimitHeader(policy, draw))
    if (draw.allowed) {
      done()
      return
    }
    observe.limited(policy.name)
    reply.header('retry-after', retryAfterHeader(draw))
    const refusal = rateLimited(policy, who, draw)
    if (name !== 'anonymous') done(refusal)
    else refuseLate(limits.late, id, { request, reply }, () => done(refusal))
  }
  const draw = limiter.draw(id, cost)
  if (draw instanceof Promise) draw.then(settle, done)
  else settle(draw)
}

/** Refuses, possibly a second later; without a response where many others are waiting for theirs. */
function refuseLate(late: LateRefusals, id: string, { request, reply }: Exchange, refuse: () => void): void {
  const isHeld = late.hold(id, () => {
    // The durations that are observed are those of work.
    request.startedMs = performance.now()
    refuse()
  })
  if (isHeld) return
  reply.hijack()
  cutOff(request.raw)
}

const allowances: Record<PolicyName, string> = {
  free: 'A team on the free plan may make',
  pro: 'A team on the pro plan may make',
  enterprise: 'A team on the enterprise plan may make',
  session: 'A signed-in person may make',
  streams: 'A team may open',
  anonymous: 'This address without a valid credential may make',
}

function rateLimited({ name, rate }: Policy, who: string, { waitMs }: Draw): AppError {
  const limited = name === 'streams' ? 'streams' : 'requests'
  const message =
    `${who} ${rate.perSecond} ${limited} per second, in bursts of ${rate.burst}. ` +
    `Try again in ${waitMs} ms.`
  return new AppError('rate_limited', message, { retryAfterMs: waitMs })
}

function tooManyCalls(calls: number, burst: number): AppError {
  const message = `${calls} calls in one request exceed your burst of ${burst}. Send fewer.`
  return new AppError('malformed_request', message)
}
