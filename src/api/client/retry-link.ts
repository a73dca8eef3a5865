/** Waits and repeats calls that a busy server refused, or whose response was lost. */
import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '../routers/index.ts'
import { nextWaitMs } from './next-wait.ts'
import { readRefusal, type WaitReason } from './refusal.ts'
import { repeatableAs } from './repeatable.ts'

/** How a client waits. */
export type RetryOptions = {
  /** Called when calls begin to wait, with the milliseconds. */
  onWait?: (ms: number, why: WaitReason) => void
  /** Ends all waits when it aborts: the calls fail with its reason. */
  signal?: AbortSignal
}

/** Time and chance. `later` calls `work` after `ms`, unless the returned function is called before. */
export type RetryClock = {
  nowMs: () => number
  random: () => number
  later: (work: () => void, ms: number) => () => void
}

const systemClock: RetryClock = {
  nowMs: () => performance.now(),
  random: Math.random,
  later: (work, ms) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * A link that makes a call again as `nextWaitMs` says: whatever was refused with 429, and after a 502, 503,
 * 504 or a lost connection what `repeatableAs` allows. A `POST` gets an Idempotency-Key, unless its context
 * has one, and keeps it. With `{ context: { retry: false } }` a call is made once.
 */
export function createRetryLink(
  { onWait, signal }: RetryOptions,
  clock: RetryClock = systemClock,
): TRPCLink<AppRouter> {
  let isKnown = false
  let announcedUntilMs = 0

  /** Calls that wait together, such as those of a batch, are announced once. */
  function announce(ms: number, why: WaitReason): void {
    const untilMs = clock.nowMs() + ms
    if (clock.nowMs() < announcedUntilMs) return
    announcedUntilMs = untilMs
    onWait?.(ms, why)
  }

  /** The milliseconds to wait after `error`; undefined if it is final. */
  function waitAfter(op: Operation, error: TRPCClientError<AppRouter>, tried: Tried): number | undefined {
    isKnown ||= Boolean(error.data)
    const refusal = readRefusal(error, isKnown)
    if (!refusal || !(refusal.isWithoutEffect || repeatableAs(op))) return undefined
    const { retryAfterMs, why } = refusal
    const ms = nextWaitMs({ ...tried, isKnown, retryAfterMs }, clock.random())
    if (ms !== undefined) announce(ms, why)
    return ms
  }

  return () =>
    ({ op: given, next }) => {
      if (given.context.retry === false) return next(given)
      const op = withKey(given)
      return observable((observer) => {
        let current: Unsubscribable | undefined
        let stopWaiting = () => {}

        function attempt(tried: Tried): void {
          current = next(op).subscribe({
            next(envelope) {
              isKnown = true
              observer.next(envelope)
            },
            complete: () => observer.complete(),
            error(error) {
              const ms = waitAfter(op, error, tried)
              if (ms === undefined) observer.error(error)
              else pause(ms, tried)
            },
          })
        }

        function pause(ms: number, { attempts, waitedMs }: Tried): void {
          const stop = AbortSignal.any([signal, op.signal].filter((each) => each instanceof AbortSignal))
          const giveUp = () => {
            stopWaiting()
            observer.error(TRPCClientError.from(asError(stop.reason)))
          }
          const cancel = clock.later(() => {
            stopWaiting()
            attempt({ attempts: attempts + 1, waitedMs: waitedMs + ms })
          }, ms)
          stopWaiting = () => {
            cancel()
            stop.removeEventListener('abort', giveUp)
          }
          stop.addEventListener('abort', giveUp)
          if (stop.aborted) giveUp()
        }

        attempt({ attempts: 1, waitedMs: 0 })
        return () => {
          stopWaiting()
          current?.unsubscribe()
        }
      })
    }
}

type Tried = { attempts: number; waitedMs: number }

/** The same for every attempt of a call, so that it takes effect once. */
function withKey(op: Operation): Operation {
  if (op.context.idempotencyKey !== undefined || repeatableAs(op) !== 'with-key') return op
  return { ...op, context: { ...op.context, idempotencyKey: newKey() } }
}

/** 128 random bits in hex; pages served over plain http have no `randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
