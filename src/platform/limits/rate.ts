/** Rates of token buckets, in whole numbers. */

/** A bucket of `burst` tokens, refilled with `perSecond`; `burst` is at least `perSecond`. */
export type Rate = { perSecond: number; burst: number }

/** `tokens` are added every `everyMs` milliseconds. */
export type Refill = { tokens: number; everyMs: number }

/** The smoothest refill that is exactly this rate in whole tokens and milliseconds. */
export function refillOf({ perSecond }: Rate): Refill {
  const divisor = greatestCommonDivisor(perSecond, 1_000)
  return { tokens: perSecond / divisor, everyMs: 1_000 / divisor }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
