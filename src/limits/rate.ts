/** How often something may happen, and how a token bucket keeps to that in whole numbers. */

/** `burst` tokens fit into the bucket, of which `perSecond` come back; `burst` is at least `perSecond`. */
export type Rate = { perSecond: number; burst: number }

/** `tokens` come back together every `everyMs` milliseconds. */
export type Refill = { tokens: number; everyMs: number }

/** The most even refill that is exactly this rate in whole tokens and milliseconds. */
export function refillOf({ perSecond }: Rate): Refill {
  const divisor = greatestCommonDivisor(perSecond, 1_000)
  return { tokens: perSecond / divisor, everyMs: 1_000 / divisor }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
