/**
 * The advertised rate limits: one per plan, and those of sessions, of opening streams, and of anonymous
 * callers.
 */

import type { Plan } from '../../lib/plan.ts'
import type { Draw } from './limiter.ts'
import type { Rate } from './rate.ts'

export type PolicyName = Plan | 'session' | 'streams' | 'anonymous'

/** Also buckets that no answer advertises. */
export type BucketName = PolicyName | 'passwords'

export type Policy = {
  name: PolicyName
  rate: Rate
  /** The value of `RateLimit-Policy`. */
  header: string
}

/**
 * The policy `name`. Its header follows draft-ietf-httpapi-ratelimit-headers-10, section 3, a structured list
 * (RFC 9651): `q` requests within `w` seconds, the time in which an empty bucket fills.
 */
export function policyOf(name: PolicyName, rate: Rate): Policy {
  const { burst } = rate
  return { name, rate, header: `"${name}";q=${burst};w=${secondsToFill(rate, burst)}` }
}

/**
 * The value of `RateLimit` (section 4 of the same draft): `r` requests remain, all are back in `t` seconds.
 */
export function rateLimitHeader({ name, rate }: Policy, { remaining }: Draw): string {
  return `"${name}";r=${remaining};t=${secondsToFill(rate, rate.burst - remaining)}`
}

/** The value of `Retry-After` in whole seconds (RFC 9110, section 10.2.3). */
export function retryAfterHeader({ waitMs }: Draw): string {
  return String(Math.max(1, Math.ceil(waitMs / 1_000)))
}

function secondsToFill({ perSecond }: Rate, tokens: number): number {
  return Math.ceil(tokens / perSecond)
}
