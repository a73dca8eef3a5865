/** Reads `Retry-After` of responses. */

/**
 * Milliseconds until then: of seconds or of a date (RFC 9110, section 10.2.3). Undefined without a valid one.
 */
export function readRetryAfter(value: unknown, nowMs: number): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
