/** The proof that a change of second factors takes. */
import { type AppError, invalidField } from '../../../../lib/errors.ts'
import type { Transaction } from '../../../../stores/db/transaction.ts'
import { holdCredential, holdUser } from '../../hold-caller.ts'
import type { Asking } from '../../require-session.ts'
import { checkPassword } from '../check-password.ts'
import { type FactorDeps, type Factors, lockFactors } from './attempt.ts'
import { checkCode } from './check-code.ts'
import { checkPasskey } from './check-passkey.ts'
import type { Proof } from './input.ts'
import { readWays } from './ways.ts'

/** Who asks for the change, and from where. */
export type Person = Asking & { address: string }

/**
 * Makes a change for a person who knows the password and, with a second factor, has a code or a passkey,
 * which is used up. `change` gets what is stored of the person's second factors, locked.
 * @throws AppError `invalid_input` for a wrong password, code or passkey, or without one that is needed;
 * `rate_limited`; `passkeys_not_available`; `unauthorized` when the session has just ended.
 */
export async function proven<T>(
  deps: FactorDeps,
  person: Person,
  proof: Proof,
  change: (tx: Transaction, factors: Factors | undefined) => Promise<T>,
): Promise<T> {
  const { userId, sessionId } = person
  const { isOn } = await readWays(deps.store.db, userId)
  await checkPassword(deps, person, proof.current_password)
  if (isOn) await checkFactor(deps, person, proof)
  return deps.store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const factors = await lockFactors(tx, userId)
    // Set up meanwhile, perhaps since somebody else knows the password.
    if (factors?.isOn && !isOn) throw factorNeeded()
    return change(tx, factors)
  })
}

async function checkFactor(
  deps: FactorDeps,
  { userId, sessionId }: Person,
  { code, passkey }: Proof,
): Promise<void> {
  if (passkey) return checkPasskey(deps, userId, { purpose: 'proof', holder: sessionId }, passkey)
  if (code === undefined) throw factorNeeded()
  return checkCode(deps, userId, code)
}

function factorNeeded(): AppError {
  return invalidField('code', 'required, or a passkey in its place: you have a second factor')
}
