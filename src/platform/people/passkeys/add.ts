/** Adds passkeys to a person. */
import { eq } from 'drizzle-orm'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { passkeys } from '../../../stores/db/schema/passkeys.ts'
import { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import { holdCredential, holdUser } from '../../callers/hold-caller.ts'
import type { Asking } from '../../callers/require-session.ts'
import { deviceOf } from '../device.ts'
import { shownEmail } from '../person-email.ts'
import { proveSession } from '../prove-session.ts'
import { type FactorDeps, lockFactors } from '../second-factor/attempt.ts'
import { beginFactors } from '../second-factor/enrol.ts'
import { type Person, proven } from '../second-factor/proof.ts'
import type { Proof } from '../second-factor/second-factor-input.ts'
import {
  type ChallengeUse,
  challengeSeconds,
  isChallenge,
  newChallenge,
  spendChallenge,
} from './challenge.ts'
import { knownTransports } from './credential.ts'
import type { AddPasskey } from './passkey-input.ts'
import type { Added, CreationOptions } from './passkey-output.ts'
import { recordOf } from './passkeys.ts'
import { requireRelyingParty } from './relying-party.ts'
import { describeCredentials, handleOf } from './use.ts'
import { algorithms, challengeIn, verifyAttestation } from './verify.ts'

/** How many a person may have. */
const maxPasskeys = 20

/**
 * Resolves to the options to make a passkey, for `addPasskey` within five minutes in the same session.
 * @throws AppError `passkeys_not_available`; `too_many_passkeys`; as `proven` does.
 */
export async function startPasskey(deps: FactorDeps, person: Person, proof: Proof): Promise<CreationOptions> {
  const { id } = requireRelyingParty(deps.apiUrl)
  const { userId } = person
  return proven(deps, person, proof, async (tx, factors) => {
    if (factors && factors.passkeys >= maxPasskeys) throw tooMany()
    const [user] = await tx
      .select({ email: shownEmail, name: users.name })
      .from(users)
      .where(eq(users.id, userId))
    const name = user?.email ?? userId
    return {
      rp: { id, name: id },
      user: { id: handleOf(userId), name, displayName: user?.name ?? name },
      challenge: newChallenge(deps.passkeyKey, useOf(person, factors), deps.nowMs()),
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: challengeSeconds * 1_000,
      excludeCredentials: await describeCredentials(tx, userId),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    }
  })
}

/**
 * Adds the passkey that a browser has made, named after the device of `agent` by default. With the first
 * second factor it returns the recovery codes, once, and all other sessions end. The session counts as one
 * that was begun with it.
 * @throws AppError `invalid_input` for one that can't be verified; `passkey_in_use`; `too_many_passkeys`;
 * `passkeys_not_available`; `unauthorized` when the session has just ended.
 */
export async function addPasskey(
  deps: FactorDeps,
  person: Asking & { agent: string | undefined },
  { credential, name = deviceOf(person.agent ?? null) }: AddPasskey,
): Promise<Added> {
  const party = requireRelyingParty(deps.apiUrl)
  const { userId, sessionId } = person
  const challenge = challengeIn(credential)
  if (challenge === undefined) throw notVerified()
  // Before anything is locked; whether the challenge is ours is checked with what it depends on.
  const made = await verifyAttestation({ party, challenge }, credential)
  if (!made) throw notVerified()
  return deps.store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const factors = await lockFactors(tx, userId)
    const nowMs = deps.nowMs()
    const isOurs = isChallenge(deps.passkeyKey, useOf(person, factors), challenge, nowMs)
    if (!isOurs || !(await spendChallenge(tx, challenge))) throw notVerified()
    if (factors && factors.passkeys >= maxPasskeys) throw tooMany()
    if (!factors?.isOn) await begin(tx, userId, nowMs)
    const transports = knownTransports(credential.response.transports)
    const [added] = await tx
      .insert(passkeys)
      .values({ id: newId('passkey', nowMs), userId, name, ...made, transports, createdMs: nowMs })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning()
    if (!added) throw new AppError('passkey_in_use', 'This passkey is in use already: make another one.')
    await proveSession(tx, sessionId, 'second_factor')
    const codes = factors?.isOn ? { recovery_codes: [] } : await beginFactors(tx, person)
    return { passkey: recordOf(added), ...codes }
  })
}

/** Begins the first second factor; an app that nobody has confirmed may be another's, and is forgotten. */
async function begin(tx: Database, userId: string, nowMs: number): Promise<void> {
  await tx
    .insert(secondFactors)
    .values({ userId, createdMs: nowMs })
    .onConflictDoUpdate({ target: secondFactors.userId, set: { secretSealed: null, createdMs: nowMs } })
}

/** A challenge that took no second factor is worth nothing once there is one. */
function useOf({ sessionId }: Asking, factors: { isOn: boolean } | undefined): ChallengeUse {
  return { purpose: factors?.isOn ? 'another-factor' : 'first-factor', holder: sessionId }
}

function tooMany(): AppError {
  return new AppError('too_many_passkeys', `A person may have ${maxPasskeys} passkeys. Remove one first.`)
}

function notVerified(): AppError {
  return invalidField(
    'credential',
    'could not be verified: it was not made for this page, or it took longer than five minutes. Try again',
  )
}
