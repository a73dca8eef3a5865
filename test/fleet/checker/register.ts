/** Which values a register may have held at a time, from what its writers and readers know. */
import type { Operation } from '../history/history.ts'

/**
 * What was set, or read: at some moment between its ends. The outcome of a write that ends never is unknown.
 */
export type Access = { id: number; value: string | null; invokeMs: number; endMs: number }

/** What is known of a register; its `reads` can't be stale. */
export type Register = { initial: string | null; writes: Access[]; reads: Access[] }

/** The longest that a request without a known outcome may take to have an effect. */
const maxOutcomeMs = 60_000

/** The write of an operation; undefined where it has certainly changed nothing. */
export function toWrite({ id, outcome, invokeMs, endMs, wanted, result }: Operation): Access | undefined {
  if (outcome === 'fail') return undefined
  const value = outcome === 'ok' ? result.value : wanted
  return value === undefined ? undefined : { id, value, invokeMs, endMs }
}

/** The value that an operation read; undefined where it read none. */
export function toRead({ id, outcome, invokeMs, endMs, result }: Operation): Access | undefined {
  if (outcome !== 'ok' || result.value === undefined) return undefined
  return { id, value: result.value, invokeMs, endMs }
}

/**
 * Whether the register may have held `value` at some moment from `fromMs` to `toMs`. It did not if no write
 * of it had begun, or if after each of them something else was certainly there, before `fromMs`.
 */
export function mayHaveHeld(
  { initial, writes, reads }: Register,
  value: string | null,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): boolean {
  let latestOtherMs = Number.NEGATIVE_INFINITY
  for (const others of [writes, reads]) {
    for (const each of others)
      if (each.value !== value && each.endMs < fromMs && each.invokeMs > latestOtherMs)
        latestOtherMs = each.invokeMs
  }
  if (initial === value && latestOtherMs === Number.NEGATIVE_INFINITY) return true
  return writes.some(
    (write) => write.value === value && write.invokeMs <= toMs && latestOtherMs <= lastMomentOf(write),
  )
}

/** The last moment at which a write may have taken effect. */
export function lastMomentOf({ invokeMs, endMs }: Access): number {
  return Math.min(endMs, invokeMs + maxOutcomeMs)
}
