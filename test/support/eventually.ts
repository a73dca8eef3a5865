/** How tests wait for what comes true a little later. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * As long as a busy machine may take, but less than a test may, so that a failure names the condition that
 * was missed.
 */
export const patienceMs = 20_000

/**
 * The pauses between two looks grow up to this one: what is quick is seen at once, and what is slow isn't
 * slowed further.
 */
const longestPauseMs = 50

type Patience = {
  /** Where the time itself is promised, or a whole program has to start. */
  limitMs?: number
  /** Where a look changes what it looks at. */
  everyMs?: number
}

/**
 * Calls `check` until it throws nothing, and resolves to its result.
 * @throws its last error once the time is over.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { limitMs = patienceMs, everyMs }: Patience = {},
): Promise<T> {
  const lateMs = performance.now() + limitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    // The time is read before the look, so that the last look comes after the time is over.
    const isLate = performance.now() >= lateMs
    try {
      return await check()
    } catch (error) {
      if (isLate) throw error
    }
    await sleep(everyMs ?? pauseMs)
  }
}

/** Calls `find` until it finds something, and resolves to that. @throws once the time is over. */
export function until<T>(
  find: () => T | Promise<T>,
  patience?: Patience,
): Promise<Exclude<T, false | undefined>> {
  return eventually(async () => {
    const found = await find()
    if (found === false || found === undefined) throw new Error(`This never came true: ${find}`)
    return found as Exclude<T, false | undefined>
  }, patience)
}
