/**
 * The limits of a node in a process that doesn't keep them itself, but requests them of the one that does.
 */
import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'
import { borrowBuckets } from './borrow-tokens.ts'
import type { Borrower, LentBucket } from './lend-tokens.ts'
import type { Draw, Limiter } from './limiter.ts'
import { lateRefusalsOf, type OwnLimits, type OwnRates } from './own-limits.ts'
import type { BucketName } from './policy.ts'
import type { LimitsService, LookUpKind } from './serve-limits.ts'

/** The bucket of a refusal, and the time before which it can't allow. */
type Refusal = { cost: number; remaining: number; untilMs: number }

const maxRefusals = 10_000

type Options = {
  /** The part of what a node may hold in memory that this process may hold. */
  share: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** Those of another process, which may call back what this one has borrowed of them. */
export type RemoteLimits = OwnLimits & Borrower

/** The limits that `service` keeps, with these rates. */
export function createRemoteLimits(
  service: LimitsService,
  rates: OwnRates,
  { share, now = () => performance.now() }: Options,
): RemoteLimits {
  const bucket = (policy: BucketName) =>
    remoteLimiter(service, policy, now, (id, cost) => service.draw({ policy, id, cost }))
  const borrowed = {
    free: borrowBuckets(service, 'free', now),
    pro: borrowBuckets(service, 'pro', now),
    enterprise: borrowBuckets(service, 'enterprise', now),
    session: borrowBuckets(service, 'session', now),
  }
  const lentBucket = (policy: LentBucket) => remoteLimiter(service, policy, now, borrowed[policy].draw)

  async function admit<T>(kind: LookUpKind, address: string, find: () => Promise<T>): Promise<T> {
    const admitted = await service.beginLookUp({ kind, address })
    if (!('ticket' in admitted)) {
      const { message, retryAfterMs } = admitted
      throw new AppError('rate_limited', message, { retryAfterMs })
    }
    let isMiss = false
    try {
      const found = await find()
      isMiss = found === undefined
      return found
    } finally {
      // Not before a token was drawn for a miss.
      setImmediate(() => service.endLookUp({ ticket: admitted.ticket, isMiss }))
    }
  }

  return {
    lender: undefined,
    buckets: {
      free: lentBucket('free'),
      pro: lentBucket('pro'),
      enterprise: lentBucket('enterprise'),
      session: lentBucket('session'),
      streams: bucket('streams'),
      anonymous: bucket('anonymous'),
      passwords: bucket('passwords'),
    },
    callers: { admit: (address, find) => admit('callers', address, find) },
    sites: (address, find) => admit('sites', address, find),
    connections:
      rates.connections === 0
        ? undefined
        : { take: service.takeConnection, giveBack: service.giveConnectionBack },
    late: lateRefusalsOf(rates, { share, now }),
    recall: ({ policy, id, number }) => borrowed[policy].recall(id, number),
  }
}

/**
 * A refusal is remembered until tokens are back, so that whoever goes on beyond a limit keeps this process
 * busy alone, and not the one that serves all others, too.
 */
function remoteLimiter(
  service: Pick<LimitsService, 'giveBack'>,
  policy: BucketName,
  now: () => number,
  draw: Limiter['draw'],
): Limiter {
  const refusals = new LRUCache<string, Refusal>({ max: maxRefusals })

  function refusalOf(id: string, cost: number): Draw | undefined {
    const refusal = refusals.peek(id)
    if (!refusal || cost < refusal.cost) return undefined
    const waitMs = Math.ceil(refusal.untilMs - now())
    return waitMs > 0 ? { allowed: false, remaining: refusal.remaining, waitMs } : undefined
  }

  function noted(drawn: Draw, id: string, cost: number): Draw {
    const { allowed, remaining, waitMs } = drawn
    if (!allowed) refusals.set(id, { cost, remaining, untilMs: now() + waitMs })
    return drawn
  }

  return {
    draw(id, cost) {
      const refusal = refusalOf(id, cost)
      if (refusal) return refusal
      const drawn = draw(id, cost)
      return drawn instanceof Promise
        ? drawn.then((settled) => noted(settled, id, cost))
        : noted(drawn, id, cost)
    },
    giveBack(id, cost) {
      refusals.delete(id)
      return service.giveBack({ policy, id, cost })
    },
  }
}
