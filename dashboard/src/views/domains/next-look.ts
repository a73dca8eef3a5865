/**
 * When to fetch a domain again: the server checks on its own schedule, and not every check causes an event.
 */
import type { Domain } from './state'

/** The check itself takes a moment. */
const afterCheckMs = 2_000
const minMs = 3_000
const maxMs = 10 * 60_000

/** Milliseconds until the result of the next check can be there, or a certificate that is on order. */
export function nextLookMs({ next_check_ms, tls }: Domain, nowMs: number): number {
  if (tls.state === 'pending') return minMs
  if (next_check_ms === null) return maxMs
  return Math.min(maxMs, Math.max(minMs, next_check_ms - nowMs + afterCheckMs))
}
