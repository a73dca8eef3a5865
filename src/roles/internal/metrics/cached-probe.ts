/** A cached value of an expensive query, with a timeout. */
import { within } from '../../../lib/async/within.ts'

type Options = {
  /** How long a value is valid. */
  keepMs: number
  /** How long a caller waits for it; until then there is no second query. */
  waitMs: number
}

/** The answer of `ask`, or undefined where there is none in time. */
export function createCachedProbe<T>(
  ask: () => Promise<T>,
  { keepMs, waitMs }: Options,
): () => Promise<T | undefined> {
  let kept: { answer: T; atMs: number } | undefined
  let asking: Promise<T | undefined> | undefined

  async function askAgain(): Promise<T | undefined> {
    try {
      const answer = await ask()
      kept = { answer, atMs: performance.now() }
      return answer
    } catch {
      kept = undefined
      return undefined
    } finally {
      asking = undefined
    }
  }

  return async () => {
    if (kept && performance.now() - kept.atMs < keepMs) return kept.answer
    asking ??= askAgain()
    return within(waitMs, asking, () => undefined)
  }
}
