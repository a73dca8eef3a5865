/** Applies the caller's rate limit, from the headers alone, and sends its RateLimit headers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principal.ts'
import { AppError } from '../errors.ts'
import { addressBucket } from '../limits/address.ts'
import type { Draw } from '../limits/limiter.ts'
import type { Limits } from '../limits/open-limits.ts'
import { type Policy, type PolicyName, rateLimitHeader, retryAfterHeader } from '../limits/policy.ts'
import type { ApiObserver } from '../observability/observers.ts'

/** The state of a limit after a request drew from it. */
export type Drawn = { policy: Policy; remaining: number }

type Done = (refusal?: AppError) => void

type Exchange = { request: FastifyRequest; reply: FastifyReply }

type Deps = { limits: Limits; observe: Pick<ApiObserver, 'limited'> }

/** Draws one token per call from the team's bucket, all or none. Calls back with a refusal or without. */
export function limitTeam(
  deps: Deps,
  { principal: { plan, teamId }, calls }: { principal: Principal; calls: number },
  exchange: Exchange,
  done: Done,
): void {
  const { burst } = deps.limits.of[plan].policy.rate
  if (calls <= burst) drawFrom(deps, { policy: plan, id: teamId, cost: calls }, exchange, done)
  else {
    drawFrom(deps, { policy: plan, id: teamId, cost: 1 }, exchange, (limited) =>
      done(limited ?? tooManyCalls(calls, burst)),
    )
  }
}

/** Draws once from the bucket of the client's address, for a request without a valid credential. */
export function limitAddress(deps: Deps, exchange: Exchange, done: Done): void {
  const id = addressBucket(exchange.request.address)
  drawFrom(deps, { policy: 'anonymous', id, cost: 1 }, exchange, done)
}

/** From which bucket, and how much of it. */
type Bucket = { policy: PolicyName; id: string; cost: number }

function drawFrom(
  { limits, observe }: Deps,
  { policy: name, id, cost }: Bucket,
  { request, reply }: Exchange,
  done: Done,
): void {
  const { policy, limiter } = limits.of[name]
  const settle = (draw: Draw): void => {
    request.drawn = { policy, remaining: draw.remaining }
    reply.header('ratelimit-policy', policy.header)
    reply.header('ratelimit', rateLimitHeader(policy, draw))
    if (!draw.allowed) {
      observe.limited(policy.name)
      reply.header('retry-after', retryAfterHeader(draw))
    }
    done(draw.allowed ? undefined : rateLimited(policy, draw))
  }
  const draw = limiter.draw(id, cost)
  if (draw instanceof Promise) draw.then(settle, done)
  else settle(draw)
}

function rateLimited({ name, rate }: Policy, { waitMs }: Draw): AppError {
  const whose =
    name === 'anonymous' ? 'This address without a valid credential' : `A team on the ${name} plan`
  const message = `${whose} may make ${rate.perSecond} requests per second, in bursts of ${rate.burst}. Try again in ${waitMs} ms.`
  return new AppError('rate_limited', message, { retryAfterMs: waitMs })
}

function tooManyCalls(calls: number, burst: number): AppError {
  const message = `${calls} calls in one request exceed your team's burst of ${burst}. Send fewer.`
  return new AppError('malformed_request', message)
}
