/**
 * The limits that a node keeps in its own memory: token buckets, lookups of the unknown, open connections.
 */
import { createLateRefusals, type LateRefusals } from './late-refusals.ts'
import { createTokenLender, type TokenLender } from './lend-tokens.ts'
import { createLookUp, createLookUps, type LookUp, type LookUps } from './limit-look-ups.ts'
import type { Limiter } from './limiter.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { passwordTries } from './password-tries.ts'
import type { BucketName, PolicyName } from './policy.ts'
import type { Rate } from './rate.ts'
import { createSlots, type Slots } from './slots.ts'

export type OwnLimits = {
  buckets: Record<BucketName, Limiter>
  /** Lends tokens of the buckets; undefined in a process that borrows them. */
  lender: TokenLender | undefined
  /** Lookups of unknown credentials, limited by the anonymous bucket of the address. */
  callers: LookUps
  /** Lookups of unknown sites, with buckets of their own. */
  sites: LookUp
  /** Connections, by what they lead to and the client; undefined without a limit. */
  connections: Slots | undefined
  /** Refusals of those who go on beyond the limit of `callers`, and of `sites`. */
  late: { callers: LateRefusals; sites: LateRefusals }
}

/** `connections`: the most of one client; 0: no limit. */
export type OwnRates = Record<PolicyName, Rate> & { edge: Rate; connections: number }

/** `now` is a monotonic clock in milliseconds. */
export function createOwnLimits(rates: OwnRates, now = () => performance.now()): OwnLimits {
  const bucket = (name: PolicyName) => createMemoryLimiter(rates[name], now)
  const anonymous = bucket('anonymous')
  const lent = {
    free: bucket('free'),
    pro: bucket('pro'),
    enterprise: bucket('enterprise'),
    session: bucket('session'),
  }
  return {
    lender: createTokenLender(lent),
    buckets: {
      ...lent,
      streams: bucket('streams'),
      anonymous,
      passwords: createMemoryLimiter(passwordTries, now),
    },
    callers: createLookUps(rates.anonymous, anonymous),
    sites: createLookUp(rates.edge, now),
    connections: rates.connections === 0 ? undefined : createSlots(rates.connections),
    late: lateRefusalsOf(rates, { now }),
  }
}

/** Late refusals are of this process alone, which may hold its `share` of what a node may. */
export function lateRefusalsOf(
  { anonymous, edge }: Pick<OwnRates, 'anonymous' | 'edge'>,
  options: { now?: () => number; share?: number },
): OwnLimits['late'] {
  return { callers: createLateRefusals(anonymous, options), sites: createLateRefusals(edge, options) }
}
