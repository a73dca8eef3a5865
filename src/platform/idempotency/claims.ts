/** Claims of Idempotency-Keys, with a lease, which become the stored response. */
import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { idempotencyKeys } from '../../stores/db/schema/idempotency.ts'

/** The scope of a key: the same key of another team, caller or operation is unrelated. */
export type Scope = { teamId: string; userId: string; operation: string; key: string }

/** The longest call; a crashed run holds its key no longer than this. */
const leaseMs = 60_000

const answerKeptMs = 24 * 60 * 60 * 1000

/**
 * Claims the key for one run of the call, or finds the response of an earlier run. Expired claims and, by the
 * trusted clock, expired responses are taken over.
 * @throws AppError `idempotency_key_reused` when the key was used with another input,
 * `idempotency_in_progress` while another run holds it.
 */
export async function takeClaim(
  db: Database,
  scope: Scope,
  inputSha256: string,
  { nowMs, isClockBelieved }: { nowMs: number; isClockBelieved: boolean },
): Promise<{ claim: string } | { answer: unknown }> {
  const claim = randomUUID()
  const fresh = { claim, inputSha256, answer: null, untilMs: nowMs + leaseMs }
  const isExpired = lte(idempotencyKeys.untilMs, nowMs)
  const isUnanswered = isNull(idempotencyKeys.answer)
  const { teamId, userId, operation, key } = idempotencyKeys
  const taken = await db
    .insert(idempotencyKeys)
    .values({ ...scope, ...fresh })
    .onConflictDoUpdate({
      target: [teamId, userId, operation, key],
      set: fresh,
      setWhere: sql`${isExpired} and (${isUnanswered} or ${isClockBelieved}::boolean)`,
    })
    .returning({ claim: idempotencyKeys.claim })
    .prepare('take_claim')
    .execute()
  if (taken.length > 0) return { claim }

  const [held] = await db
    .select({ inputSha256: idempotencyKeys.inputSha256, answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(isOf(scope))
  if (held && held.inputSha256 !== inputSha256) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another input. Send a new key with a new request.',
    )
  }
  // If it was released meanwhile, this is still right: a retry finds it free.
  if (!held || held.answer === null) throw inProgress()
  return { answer: held.answer }
}

/**
 * Stores the response for a day, in the transaction of its effect.
 * @throws AppError `idempotency_in_progress` when another run has taken the claim over, and this one must not
 * commit.
 */
export async function keepResponse(
  tx: Database,
  scope: Scope,
  claim: string,
  { answer, nowMs }: { answer: object; nowMs: number },
): Promise<void> {
  const kept = await tx
    .update(idempotencyKeys)
    .set({ answer, untilMs: nowMs + answerKeptMs })
    .where(and(isOf(scope), eq(idempotencyKeys.claim, claim)))
    .returning({ claim: idempotencyKeys.claim })
    .prepare('keep_answer')
    .execute()
  if (kept.length === 0) throw inProgress()
}

/** Releases the key, unless a response is stored: a commit may have succeeded with only its response lost. */
export async function freeClaim(db: Database, scope: Scope, claim: string): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(and(isOf(scope), eq(idempotencyKeys.claim, claim), isNull(idempotencyKeys.answer)))
}

function isOf({ teamId, userId, operation, key }: Scope) {
  return and(
    eq(idempotencyKeys.teamId, teamId),
    eq(idempotencyKeys.userId, userId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  )
}

function inProgress(): AppError {
  return new AppError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Send it again in a moment to get its response.',
  )
}
