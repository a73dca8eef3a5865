/** An answer that costs something: asked for when it is wanted, kept for a while, and never waited for for long. */
import { within } from '../../async/within.ts'

type Options = {
  /** For how long an answer is good. */
  keepMs: number
  /** How long somebody waits for it; while nothing comes nobody asks again. */
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
