/** Sets an app for codes up, and takes it away: by people who know their password. */
import { eq, isNull } from 'drizzle-orm'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { seal } from '../../../stores/data-dir/seal.ts'
import type { Database } from '../../../stores/db/database.ts'
import { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { holdCredential, holdUser } from '../../callers/hold-caller.ts'
import type { Asking } from '../../callers/require-session.ts'
import { endPersonVisits } from '../end-person-visits.ts'
import { shownEmail } from '../person-email.ts'
import { endProofs, proveSession } from '../prove-session.ts'
import { deleteSessions, isOther } from '../sessions.ts'
import { countTry, type FactorDeps, lockFactors } from './attempt.ts'
import { openSecret, wrongCode } from './check-code.ts'
import { type Person, proven } from './proof.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import type { Proof } from './second-factor-input.ts'
import type { Factor, RecoveryCodes, Started } from './second-factor-output.ts'
import { newTotpSecret, stepOf, totpUrl } from './totp.ts'
import { readWays } from './ways.ts'

/** How long a secret waits for its first code: nobody guesses at one that was left behind. */
const startedForMs = 15 * 60_000

/**
 * A new secret for an app. It counts once `confirmFactor` has had a code of it; another call replaces it.
 * @throws AppError `second_factor_set` if there is one already; as `proven` does.
 */
export async function startFactor(deps: FactorDeps, person: Person, proof: Proof): Promise<Started> {
  const { userId } = person
  if ((await readWays(deps.store.db, userId)).hasApp) throw hasApp()
  const secret = newTotpSecret()
  const fresh = { secretSealed: seal(deps.factorKey, userId, secret), createdMs: deps.nowMs() }
  const label = await proven(deps, person, proof, async (tx) => {
    const [started] = await tx
      .insert(secondFactors)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: fresh,
        setWhere: isNull(secondFactors.confirmedMs),
      })
      .returning({ userId: secondFactors.userId })
    if (!started) throw hasApp()
    const [user] = await tx.select({ email: shownEmail }).from(users).where(eq(users.id, userId))
    return user?.email ?? userId
  })
  return { secret, url: totpUrl(secret, { apiUrl: deps.apiUrl, label }) }
}

/**
 * Puts the app into use, with a code of it. With the first second factor it returns the recovery codes, once,
 * and all other sessions end: the password may be known to somebody. The session counts as one that was begun
 * with it.
 * @throws AppError `invalid_input` for a wrong code, or if none was started within 15 minutes;
 * `second_factor_set`; `rate_limited` after ten wrong codes.
 */
export async function confirmFactor(deps: FactorDeps, person: Asking, code: string): Promise<RecoveryCodes> {
  const { userId, sessionId } = person
  const confirmed = await deps.store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const row = await lockFactors(tx, userId)
    const secret = row && openSecret(row, deps.factorKey)
    if (!row || secret === undefined) return undefined
    if (row.confirmedMs !== null) throw hasApp()
    const nowMs = deps.nowMs()
    if (nowMs >= row.createdMs + startedForMs) throw startAgain()
    const use = () => {
      const step = stepOf(secret, code.replaceAll(/\s/g, ''), nowMs)
      return step === undefined ? undefined : { confirmedMs: nowMs, lastStep: step }
    }
    if (!(await countTry(tx, row, use, nowMs))) return undefined
    await proveSession(tx, sessionId, 'second_factor')
    return row.isOn ? { recovery_codes: [] } : beginFactors(tx, person)
  })
  if (!confirmed) throw wrongCode()
  return confirmed
}

/** Ends other sessions and visits of a person with a first second factor, and makes its recovery codes. */
export async function beginFactors(tx: Transaction, person: Asking): Promise<RecoveryCodes> {
  await deleteSessions(tx, isOther(person))
  await endPersonVisits(tx, [person.userId])
  return replaceRecoveryCodes(tx, person.userId)
}

/**
 * New recovery codes in place of those that are left.
 * @throws AppError `invalid_input` also for a person without a second factor; as `proven` does.
 */
export async function renewRecoveryCodes(
  deps: FactorDeps,
  person: Person,
  proof: Proof,
): Promise<RecoveryCodes> {
  return proven(deps, person, proof, async (tx, factors) => {
    if (!factors?.isOn) throw invalidField('code', 'belongs to no second factor: set one up first')
    return replaceRecoveryCodes(tx, person.userId)
  })
}

/** New recovery codes for a person with a row of second factors, whose codes of before end. */
async function replaceRecoveryCodes(tx: Database, userId: string): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes()
  await tx
    .update(secondFactors)
    .set({ recoverySha256: codes.map(hashRecoveryCode), wrong: 0 })
    .where(eq(secondFactors.userId, userId))
  return { recovery_codes: codes }
}

/**
 * Takes the app for codes away. With passkeys, these and the recovery codes stay; without, the password alone
 * is enough again.
 * @throws AppError as `proven` does.
 */
export async function stopFactor(deps: FactorDeps, person: Person, proof: Proof): Promise<Factor> {
  const { userId } = person
  return proven(deps, person, proof, async (tx) => {
    await tx
      .update(secondFactors)
      .set({ secretSealed: null, confirmedMs: null })
      .where(eq(secondFactors.userId, userId))
    return endUnused(tx, userId)
  })
}

/**
 * Ends recovery codes, proofs of sessions, and visits to protected sites, that stand for nothing any more;
 * what is left of the second factors.
 */
export async function endUnused(tx: Transaction, userId: string): Promise<Factor> {
  const row = await lockFactors(tx, userId)
  if (row?.isOn) {
    const { confirmedMs, passkeys, recoverySha256 } = row
    return { on: true, app: confirmedMs !== null, passkeys, recovery_codes: recoverySha256.length }
  }
  await tx.delete(secondFactors).where(eq(secondFactors.userId, userId))
  await endProofs(tx, userId)
  await endPersonVisits(tx, [userId])
  return { on: false, app: false, passkeys: 0, recovery_codes: 0 }
}

function startAgain(): AppError {
  return invalidField('code', 'comes too late: an app is confirmed within 15 minutes. Set it up again')
}

function hasApp(): AppError {
  return new AppError(
    'second_factor_set',
    'There is an app for codes already: take it away before you set up another one.',
  )
}
