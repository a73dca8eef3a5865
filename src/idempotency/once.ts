/** Runs a call once for its key: a repeat gets the first answer again. */
import type { RemovalClock } from '../clock/removal.ts'
import type { Database } from '../db/open.ts'
import { freeClaim, keepResponse, type Scope, takeClaim } from './claims.ts'
import { digestOf } from './digest.ts'

/**
 * Keeps what a repeat of the call is to be answered, in the transaction of its effect, of which it is the last step. No
 * secret belongs in it.
 * @throws AppError `idempotency_in_progress` when a repeat has taken this call's place: then nothing may be committed.
 */
export type Remember = (tx: Database, answer: object) => Promise<void>

type Deps = {
  db: Database
  nowMs: () => number
  removal: Pick<RemovalClock, 'ask'>
  /** Called where an earlier run's answer is given. */
  onReplay?: () => void
}

/**
 * The answer of `run`, which has to remember it, or of an earlier run with the same key and input. Only a success is
 * kept: when `run` fails, the key is free again.
 * @throws what `run` throws, and as `takeClaim` does.
 */
export async function once(
  { db, nowMs, removal, onReplay }: Deps,
  scope: Scope,
  input: unknown,
  run: (remember: Remember) => Promise<unknown>,
): Promise<unknown> {
  const isClockBelieved = (await removal.ask()) !== undefined
  const taken = await takeClaim(db, scope, digestOf(input), { nowMs: nowMs(), isClockBelieved })
  if ('answer' in taken) {
    onReplay?.()
    return taken.answer
  }
  const { claim } = taken
  let remembered = false
  try {
    const answer = await run(async (tx, answer) => {
      await keepResponse(tx, scope, claim, { answer, nowMs: nowMs() })
      remembered = true
    })
    if (!remembered) throw new Error(`${scope.operation} did not remember its answer.`)
    return answer
  } catch (error) {
    // Where the database is away the lease ends by itself, and this isn't what the caller needs to hear of.
    await freeClaim(db, scope, claim).catch(() => {})
    throw error
  }
}
