/** The proof that a change of the password or of second factors takes. */
import { type AppError, invalidField } from '../../../lib/errors.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { holdCredential, holdUser } from '../../callers/hold-caller.ts'
import type { Asking } from '../../callers/require-session.ts'
import { checkPassword, type PasswordAccount } from '../check-password.ts'
import { type FactorDeps, type Factors, lockFactors } from './attempt.ts'
import { checkCode } from './check-code.ts'
import { checkPasskey } from './check-passkey.ts'
import type { Proof } from './second-factor-input.ts'
import { readWays } from './ways.ts'

/** Who asks for the change, and from where; `field` is the caller's name of the password. */
export type Person = Asking & { address: string; field?: string }

/** The account of a checked password, and whether there was a second factor to check. */
export type Checked = { account: PasswordAccount; isOn: boolean }

/**
 * Makes a change for a person who knows the password and, with a second factor, has a code or a passkey,
 * which is used up. `change` gets what is stored of the person's second factors, locked.
 * @throws AppError as `checkProof` and `changeChecked` do.
 */
export async function proven<T>(
  deps: FactorDeps,
  person: Person,
  proof: Proof,
  change: (tx: Transaction, factors: Factors | undefined) => Promise<T>,
): Promise<T> {
  const checked = await checkProof(deps, person, proof)
  return changeChecked(deps.store, person, checked, change)
}

/**
 * Checks the password and, with a second factor, a code or a passkey, which is used up.
 * @throws AppError `invalid_input` for a wrong one, or without one that is needed; `rate_limited`;
 * `passkeys_not_available`; `sign_in_unavailable`.
 */
export async function checkProof(deps: FactorDeps, person: Person, proof: Proof): Promise<Checked> {
  const { isOn } = await readWays(deps.store.db, person.userId)
  const account = await checkPassword(deps, person, proof.current_password)
  if (isOn) await checkFactor(deps, person, proof)
  return { account, isOn }
}

/**
 * Makes a change for a person whose proof was checked.
 * @throws AppError `invalid_input` if it takes more meanwhile; `unauthorized` when the session has just
 * ended.
 */
export async function changeChecked<T>(
  store: Store,
  { userId, sessionId }: Asking,
  { isOn }: Checked,
  change: (tx: Transaction, factors: Factors | undefined) => Promise<T>,
): Promise<T> {
  return store.transact(async (tx) => {
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
  if (passkey) await checkPasskey(deps, userId, { purpose: 'proof', holder: sessionId }, passkey)
  else if (code === undefined) throw factorNeeded()
  else await checkCode(deps, userId, code)
}

function factorNeeded(): AppError {
  return invalidField('code', 'required, or a passkey in its place: you have a second factor')
}
