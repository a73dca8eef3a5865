/** The rate limits of a node: in memory, or in a shared Redis with memory as the fallback. */
import { within } from '../../lib/async/within.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { type Circuit, startCircuit } from './circuit.ts'
import type { LateRefusals } from './late-refusals.ts'
import type { LookUps } from './limit-look-ups.ts'
import type { Limiter } from './limiter.ts'
import type { OwnLimits } from './own-limits.ts'
import { passwordTries } from './password-tries.ts'
import type { BucketName, Policy, PolicyName } from './policy.ts'
import type { Rate } from './rate.ts'
import type { RedisClient } from './redis-client.ts'
import type { SharedLimiter } from './shared-limiter.ts'

type Limit = { policy: Policy; limiter: Limiter }

/** Where buckets are kept; `degraded` while each node has its own because Redis is unavailable. */
type LimitsState = 'memory' | 'redis' | 'upstash' | 'degraded'

export type Limits = {
  of: Record<PolicyName, Limit>
  /** Tries of sites' passwords, by address, and of people's, by email address. */
  passwords: Limiter
  /** Lookups of unknown callers, limited by the anonymous rate. */
  lookUps: LookUps
  /** Refusals of addresses that go on beyond the anonymous rate. */
  late: LateRefusals
  state(): LimitsState
  close(): void
}

export type Policies = Record<PolicyName, Policy>

/** The Redis of shared buckets, if any. */
export type LimitsStore =
  | { kind: 'memory' }
  | { kind: 'redis'; url: string }
  | { kind: 'upstash'; url: string; token: string }

type Options = {
  policies: Policies
  /** The limits without a Redis, or while it is away. */
  own: OwnLimits
  store: LimitsStore
  log: Logger
}

/** A request waits this long, in milliseconds, before the node decides by itself. */
const answerMs = 250

/**
 * A timer that is later than this indicates that this node was busy, and may not have read an available
 * response.
 */
const busyMs = 30

/** A monotonic clock, in milliseconds. */
const now = () => performance.now()

/** Never rejects because Redis is unavailable. */
export async function openLimits({ policies, own, store, log }: Options): Promise<Limits> {
  const { buckets, callers: lookUps } = own
  const late = own.late.callers
  if (store.kind === 'memory') {
    const of = ofEach(policies, ({ name }) => buckets[name])
    const { passwords } = buckets
    return { of, passwords, lookUps, late, state: () => 'memory', close: () => {} }
  }
  // Loaded on demand: they slow the start more than a request.
  const [{ createSharedLimiter }, { createSharedClock }, client] = await Promise.all([
    import('./shared-limiter.ts'),
    import('./shared-clock.ts'),
    connect(store),
  ])
  const clock = createSharedClock(client.timeMs, now)
  const shared = (policy: { name: BucketName; rate: Rate }) => createSharedLimiter(policy, client, clock)
  const tried = shared(policies.anonymous)
  const circuit = await startCircuit({
    probe: async () => {
      await inTime(clock.set())
      await inTime(tried.draw('probe', 1))
    },
    log,
    messages: {
      away: 'The Redis for rate limits is unavailable: limits are per node until it is back.',
      back: 'The Redis for rate limits is available: limits are shared again.',
    },
  })
  return {
    of: {
      ...ofEach(policies, (policy) => withFallback(shared(policy), buckets[policy.name], circuit)),
      anonymous: {
        policy: policies.anonymous,
        limiter: withMirror(shared(policies.anonymous), buckets.anonymous, circuit),
      },
    },
    passwords: withMirror(shared({ name: 'passwords', rate: passwordTries }), buckets.passwords, circuit),
    lookUps,
    late,
    state: () => (circuit.isClosed() ? store.kind : 'degraded'),
    close() {
      circuit.stop()
      client.close()
    },
  }
}

async function connect(store: Exclude<LimitsStore, { kind: 'memory' }>): Promise<RedisClient> {
  if (store.kind === 'redis') {
    const { connectRedis } = await import('./tcp-redis.ts')
    return connectRedis(store.url)
  }
  const { connectUpstash } = await import('./upstash-redis.ts')
  return connectUpstash(store.url, store.token)
}

function ofEach(policies: Policies, limiterFor: (policy: Policy) => Limiter): Limits['of'] {
  const limit = (policy: Policy): Limit => ({ policy, limiter: limiterFor(policy) })
  return {
    free: limit(policies.free),
    pro: limit(policies.pro),
    enterprise: limit(policies.enterprise),
    session: limit(policies.session),
    streams: limit(policies.streams),
    anonymous: limit(policies.anonymous),
  }
}

/** Draws from `shared`, and from `own` while the circuit is open. */
function withFallback(shared: SharedLimiter, own: Limiter, circuit: Circuit): Limiter {
  return {
    draw(id, cost) {
      if (!circuit.isClosed()) return own.draw(id, cost)
      return inTime(shared.draw(id, cost)).catch((error: unknown) => {
        circuit.open(error)
        return own.draw(id, cost)
      })
    },
    giveBack: (id, cost) =>
      circuit.isClosed() ? giveBackShared(shared, circuit, { id, cost }) : own.giveBack(id, cost),
  }
}

/** Draws from both, so that the node's own buckets have all draws through this node. */
function withMirror(shared: SharedLimiter, own: Limiter, circuit: Circuit): Limiter {
  return {
    draw(id, cost) {
      const drawn = own.draw(id, cost)
      if (!circuit.isClosed()) return drawn
      return inTime(shared.draw(id, cost)).catch((error: unknown) => {
        circuit.open(error)
        return drawn
      })
    },
    async giveBack(id, cost) {
      await own.giveBack(id, cost)
      if (circuit.isClosed()) await giveBackShared(shared, circuit, { id, cost })
    },
  }
}

/** Tokens that can't be returned now are back with time. */
function giveBackShared(
  shared: SharedLimiter,
  circuit: Circuit,
  { id, cost }: { id: string; cost: number },
): Promise<void> {
  return inTime(shared.giveBack(id, cost)).catch(circuit.open)
}

/** Settles as `answer` does. Rejects after the timeout. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  const dueMs = performance.now() + answerMs
  return within(answerMs, answer, () => {
    if (performance.now() - dueMs > busyMs) return inTime(answer)
    throw new Error(`Redis did not respond within ${answerMs} ms.`)
  })
}
