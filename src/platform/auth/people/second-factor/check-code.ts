/** Checks the code that somebody who knows the password types. */
import { eq } from 'drizzle-orm'
import { AppError, invalidField } from '../../../../lib/errors.ts'
import { unseal } from '../../../../stores/data-dir/seal.ts'
import type { Database } from '../../../../stores/db/database.ts'
import { secondFactors } from '../../../../stores/db/schema/second-factors.ts'
import type { Store } from '../../../../stores/db/store.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

/** What opens the stored secrets, and the time. */
export type FactorDeps = { store: Store; factorKey: Buffer; nowMs: () => number }

type Row = typeof secondFactors.$inferSelect

/** After so many wrong codes in a row none is looked at for a while (NIST SP 800-63B, section 5.2.2). */
const mostWrong = 10
const pauseMs = 15 * 60_000

/**
 * Passes if the code is the app's, or a recovery code that is left, and uses it up: of two requests with the
 * same code one passes. Wrong ones count for the person, from whatever address.
 * @throws AppError `invalid_input` for a wrong code; `rate_limited` after ten of them, for 15 minutes.
 */
export async function checkCode(deps: FactorDeps, userId: string, code: string): Promise<void> {
  const isRight = await deps.store.transact(async (tx) => {
    const row = await lockFactor(tx, userId)
    // Whoever has none any more passes with the password alone.
    if (!row || row.confirmedMs === null) return true
    const nowMs = deps.nowMs()
    requirePatience(row, nowMs)
    const used = useCode(row, { code, key: deps.factorKey, nowMs })
    const changes = used
      ? { ...used, wrong: 0 }
      : { wrong: row.wrong >= mostWrong ? 1 : row.wrong + 1, wrongMs: nowMs }
    await tx.update(secondFactors).set(changes).where(eq(secondFactors.userId, userId))
    return used !== undefined
  })
  if (!isRight) throw wrongCode()
}

/** The person's row, locked until the transaction ends: codes are checked one after another. */
export async function lockFactor(tx: Database, userId: string): Promise<Row | undefined> {
  const [row] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId)).for('update')
  return row
}

/** The error for a wrong code. */
export function wrongCode(): AppError {
  return invalidField(
    'code',
    'is not the present code of your app, nor a recovery code that is left. ' +
      'A code works once: wait for the next one. Does the clock of the device go right?',
  )
}

/** The secret of a row. */
export function openSecret({ userId, secretSealed }: Row, key: Buffer): string {
  return unseal(key, userId, secretSealed)
}

function requirePatience({ wrong, wrongMs }: Row, nowMs: number): void {
  const retryAfterMs = wrongMs + pauseMs - nowMs
  if (wrong < mostWrong || retryAfterMs <= 0) return
  const minutes = Math.ceil(retryAfterMs / 60_000)
  throw new AppError('rate_limited', `Too many wrong codes. Try again in ${minutes} min.`, { retryAfterMs })
}

/** What the row becomes by using the code; undefined for a wrong one. */
function useCode(
  row: Row,
  { code, key, nowMs }: { code: string; key: Buffer; nowMs: number },
): Partial<Row> | undefined {
  const typed = code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(typed)) {
    const step = stepOf(openSecret(row, key), typed, nowMs)
    return step !== undefined && step > row.lastStep ? { lastStep: step } : undefined
  }
  const hash = hashRecoveryCode(code)
  const left = row.recoverySha256.filter((each) => each !== hash)
  return left.length < row.recoverySha256.length ? { recoverySha256: left } : undefined
}
