/** Checks the code that somebody who knows the password types. */
import { type AppError, invalidField } from '../../../lib/errors.ts'
import { unseal } from '../../../stores/data-dir/seal.ts'
import type { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import { attempt, type FactorDeps, type Factors } from './attempt.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

/**
 * Passes if the code is the app's, or a recovery code that is left, and uses it up: of two requests with the
 * same code one passes. `none` for a person without a second factor, whose code is not looked at.
 * @throws AppError `invalid_input` for a wrong code; `rate_limited` as `attempt` does.
 */
export async function checkCode(deps: FactorDeps, userId: string, code: string): Promise<'right' | 'none'> {
  const outcome = await attempt(deps, userId, (_tx, row) =>
    useCode(row, { code, key: deps.factorKey, nowMs: deps.nowMs() }),
  )
  if (outcome === 'wrong') throw wrongCode()
  return outcome
}

/** The error for a wrong code. */
export function wrongCode(): AppError {
  return invalidField(
    'code',
    'is not the present code of your app, nor a recovery code that is left. ' +
      'A code works once: wait for the next one. Does the clock of the device go right?',
  )
}

/** The secret of a row; undefined for a person without an app. */
export function openSecret(
  { userId, secretSealed }: Pick<Factors, 'userId' | 'secretSealed'>,
  key: Buffer,
): string | undefined {
  return secretSealed === null ? undefined : unseal(key, userId, secretSealed)
}

/** The columns of the row that using the code changes, with new values; undefined for a wrong code. */
function useCode(
  row: Factors,
  { code, key, nowMs }: { code: string; key: Buffer; nowMs: number },
): Partial<typeof secondFactors.$inferSelect> | undefined {
  const typed = code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(typed)) {
    // A secret that no code has confirmed may be another's.
    const secret = row.confirmedMs === null ? undefined : openSecret(row, key)
    const step = secret === undefined ? undefined : stepOf(secret, typed, nowMs)
    return step !== undefined && step > row.lastStep ? { lastStep: step } : undefined
  }
  const hash = hashRecoveryCode(code)
  const left = row.recoverySha256.filter((each) => each !== hash)
  return left.length < row.recoverySha256.length ? { recoverySha256: left } : undefined
}
