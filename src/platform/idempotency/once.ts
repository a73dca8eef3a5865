/** Runs a call once per key: a repeat gets the first response again. */
import { hash } from 'node:crypto'
import type { RemovalClock } from '../../stores/clock/removal.ts'
import type { Database } from '../../stores/db/database.ts'
import { freeClaim, keepResponse, type Scope, takeClaim } from './claims.ts'

/**
 * Stores the response for repeats of the call, as the last step of the transaction of its effect. Without
 * secrets.
 * @throws AppError `idempotency_in_progress` when a repeat has taken over: then nothing may be committed.
 */
export type Remember = (tx: Database, answer: object) => Promise<void>

type Deps = {
  db: Database
  nowMs: () => number
  removal: Pick<RemovalClock, 'ask'>
  /** Called when an earlier run's response is replayed. */
  onReplay?: () => void
}

/**
 * The response of `run`, which has to store it, or of an earlier run with the same key and input. Only a
 * success is stored: when `run` fails, the key is released.
 * @throws errors of `run`, and as `takeClaim` does.
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
    if (!remembered) throw new Error(`${scope.operation} did not store its response.`)
    return answer
  } catch (error) {
    // If the database is unavailable the lease expires by itself, and the caller gets the original error.
    await freeClaim(db, scope, claim).catch(() => {})
    throw error
  }
}

/**
 * Compares inputs whatever the order of their fields: the SHA-256, in hex, of a JSON value with the fields of
 * every object sorted.
 */
export function digestOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, (_key, value: unknown) => inOrder(value)) ?? '')
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // Unsorted objects only: a deployment has thousands of files, and copying each costs more than all the
  // rest.
  if (isOrdered(Object.keys(value))) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isOrdered(keys: string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
}
