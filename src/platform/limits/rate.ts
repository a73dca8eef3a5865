/** Rates of token buckets, in whole numbers. */

/**
 * A bucket of `burst` tokens, refilled with `perSecond`, as smoothly as possible unless `refill` says how;
 * `burst` is at least `perSecond`.
 */
export type Rate = { perSecond: number; burst: number; refill?: Refill }

/** `tokens` are added every `everyMs` milliseconds. */
export type Refill = { tokens: number; everyMs: number }

/**
 * The refill of the rate, by default the smoothest that is exactly this rate in whole tokens and
 * milliseconds.
 */
export function refillOf({ perSecond, refill }: Rate): Refill {
  if (refill) return refill
  const divisor = greatestCommonDivisor(perSecond, 1_000)
  return { tokens: perSecond / divisor, everyMs: 1_000 / divisor }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
