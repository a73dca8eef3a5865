/** Sets a second factor up, and takes it away: by people who know their password. */
import { eq, isNull } from 'drizzle-orm'
import { AppError } from '../../../../lib/errors.ts'
import { seal } from '../../../../stores/data-dir/seal.ts'
import { secondFactors } from '../../../../stores/db/schema/second-factors.ts'
import { users } from '../../../../stores/db/schema/teams.ts'
import type { Transaction } from '../../../../stores/db/transaction.ts'
import { holdCredential, holdUser } from '../../hold-caller.ts'
import type { Asking } from '../../require-session.ts'
import { checkPassword } from '../check-password.ts'
import { shownEmail } from '../person-email.ts'
import { proveSession } from '../prove-session.ts'
import { checkCode, type FactorDeps, lockFactor, openSecret, wrongCode } from './check-code.ts'
import type { Factor, RecoveryCodes, Started } from './output.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, stepOf, totpUrl } from './totp.ts'

type Deps = FactorDeps & { apiUrl: string }

type Person = Asking & { address: string }

type Proof = { current_password: string; code: string }

/**
 * A new secret for an app. It counts once `confirmFactor` has had a code of it; another call replaces it.
 * @throws AppError `invalid_input` for a wrong password, or without one; `rate_limited`; `second_factor_set`
 * if there is one already.
 */
export async function startFactor(deps: Deps, person: Person, password: string): Promise<Started> {
  await checkPassword(deps, person, password)
  const { userId } = person
  const secret = newTotpSecret()
  const fresh = { secretSealed: seal(deps.factorKey, userId, secret), createdMs: deps.nowMs() }
  const label = await deps.store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId: person.sessionId })
    const [started] = await tx
      .insert(secondFactors)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: fresh,
        setWhere: isNull(secondFactors.confirmedMs),
      })
      .returning({ userId: secondFactors.userId })
    if (!started) throw isOn()
    const [user] = await tx.select({ email: shownEmail }).from(users).where(eq(users.id, userId))
    return user?.email ?? userId
  })
  return { secret, url: totpUrl(secret, { issuer: new URL(deps.apiUrl).host, label }) }
}

/**
 * Puts the second factor into use, with a code of the app, and returns the recovery codes, once. The session
 * counts as one that was begun with it.
 * @throws AppError `invalid_input` for a wrong code, or if none was started; `second_factor_set`.
 */
export async function confirmFactor(deps: Deps, person: Asking, code: string): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes()
  const { userId, sessionId } = person
  await deps.store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const row = await lockFactor(tx, userId)
    if (!row) throw wrongCode()
    if (row.confirmedMs !== null) throw isOn()
    const nowMs = deps.nowMs()
    const step = stepOf(openSecret(row, deps.factorKey), code.replaceAll(/\s/g, ''), nowMs)
    if (step === undefined) throw wrongCode()
    await tx
      .update(secondFactors)
      .set({ confirmedMs: nowMs, lastStep: step, recoverySha256: codes.map(hashRecoveryCode), wrong: 0 })
      .where(eq(secondFactors.userId, userId))
    await proveSession(tx, sessionId)
  })
  return { recovery_codes: codes }
}

/**
 * New recovery codes in place of those that are left.
 * @throws AppError `invalid_input` for a wrong password or code; `rate_limited`.
 */
export async function renewRecoveryCodes(deps: Deps, person: Person, proof: Proof): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes()
  await proven(deps, person, proof, async (tx) => {
    await tx
      .update(secondFactors)
      .set({ recoverySha256: codes.map(hashRecoveryCode) })
      .where(eq(secondFactors.userId, person.userId))
  })
  return { recovery_codes: codes }
}

/**
 * Takes the second factor away; the password alone is enough again.
 * @throws AppError `invalid_input` for a wrong password or code; `rate_limited`.
 */
export async function stopFactor(deps: Deps, person: Person, proof: Proof): Promise<Factor> {
  await proven(deps, person, proof, async (tx) => {
    await tx.delete(secondFactors).where(eq(secondFactors.userId, person.userId))
  })
  return { on: false, recovery_codes: 0 }
}

/** Makes a change for a person who knows the password and has a code, which is used up. */
async function proven(
  deps: Deps,
  person: Person,
  { current_password: password, code }: Proof,
  change: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await checkPassword(deps, person, password)
  await checkCode(deps, person.userId, code)
  await deps.store.transact(async (tx) => {
    await holdCredential(tx, { keyId: null, sessionId: person.sessionId })
    await change(tx)
  })
}

function isOn(): AppError {
  return new AppError(
    'second_factor_set',
    'There is a second factor already: take it away before you set up another one.',
  )
}
