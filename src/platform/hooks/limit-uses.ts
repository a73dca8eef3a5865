/** How often a deploy hook may make a deployment. */
import { AppError } from '../../lib/errors.ts'

const windowMs = 60 * 60_000
const maxUses = 10

/**
 * The times with this one more, the oldest first, as many as the next use has to know.
 * @throws AppError `rate_limited` where ten of them are within the last hour.
 */
export function addUse(usesMs: readonly number[], nowMs: number): number[] {
  const latest = usesMs.slice(-maxUses)
  const [oldestMs = 0] = latest
  const retryAfterMs = oldestMs + windowMs - nowMs
  if (latest.length < maxUses || retryAfterMs <= 0) return [...latest, nowMs].slice(-maxUses)
  const minutes = Math.ceil(retryAfterMs / 60_000)
  throw new AppError(
    'rate_limited',
    `A deploy hook makes at most ${maxUses} deployments an hour. Try again in ${minutes} min.`,
    { retryAfterMs },
  )
}
