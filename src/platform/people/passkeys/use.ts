/** Uses a passkey: to sign in, as a second factor, or as the proof that a change takes. */
import { asc, eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { passkeys } from '../../../stores/db/schema/passkeys.ts'
import {
  type ChallengeUse,
  challengeSeconds,
  isChallenge,
  newChallenge,
  spendChallenge,
} from './challenge.ts'
import { type Assertion, knownTransports } from './credential.ts'
import type { RequestOptions } from './passkey-output.ts'
import { type RelyingParty, requireRelyingParty } from './relying-party.ts'
import { challengeIn, loadVerifier, verifyAssertion } from './verify.ts'

/** The address of the API, which passkeys are made for, the key of challenges, and the time. */
export type PasskeyDeps = { apiUrl: string; passkeyKey: Buffer; nowMs: () => number }

/** The options to use a passkey: one of `allowed`, or without that any of the person's for this server. */
export function requestOptions(
  { apiUrl, passkeyKey, nowMs }: PasskeyDeps,
  use: ChallengeUse,
  allowed: RequestOptions['allowCredentials'] = [],
): RequestOptions {
  return {
    challenge: newChallenge(passkeyKey, use, nowMs()),
    timeout: challengeSeconds * 1_000,
    rpId: requireRelyingParty(apiUrl).id,
    allowCredentials: allowed,
    userVerification: 'required',
  }
}

/** The person's passkeys as browsers look for them, the oldest first. */
export async function describeCredentials(
  db: Database,
  userId: string,
): Promise<RequestOptions['allowCredentials']> {
  const rows = await db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdMs))
  return rows.map(({ id, transports }) => ({
    id,
    type: 'public-key',
    transports: knownTransports(transports),
  }))
}

/** A passkey's use that is worth looking at: its challenge is one of ours. */
export type Answer = { assertion: Assertion; challenge: string; party: RelyingParty }

/**
 * Checks the challenge, which needs no database; undefined if it isn't one for this use.
 * @throws AppError `passkeys_not_available`.
 */
export async function readAnswer(
  { apiUrl, passkeyKey, nowMs }: PasskeyDeps,
  use: ChallengeUse,
  assertion: Assertion,
): Promise<Answer | undefined> {
  const party = requireRelyingParty(apiUrl)
  const challenge = challengeIn(assertion)
  if (challenge === undefined || !isChallenge(passkeyKey, use, challenge, nowMs())) return undefined
  // What verifies it takes a while to load, the first time: not within a transaction.
  await loadVerifier()
  return { assertion, challenge, party }
}

/**
 * The id of the person whose passkey it is, after the use was recorded and its challenge used up; undefined,
 * without any change, if anything is wrong, or the passkey is not that of `userId`.
 */
export async function recordUse(
  tx: Database,
  { assertion, challenge, party }: Answer,
  { nowMs, userId }: { nowMs: number; userId?: string },
): Promise<string | undefined> {
  const [row] = await tx
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, assertion.id))
    // Of two uses with the same count one is refused.
    .for('update')
  if (!row || row.userId !== (userId ?? row.userId) || !isHandleOf(assertion, row.userId)) return undefined
  const counter = await verifyAssertion({ party, challenge }, row, assertion)
  if (counter === undefined || !(await spendChallenge(tx, challenge))) return undefined
  await tx.update(passkeys).set({ counter, usedMs: nowMs }).where(eq(passkeys.id, row.id))
  return row.userId
}

/** The handle of a person, which authenticators keep beside a passkey. */
export function handleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url')
}

function isHandleOf({ response: { userHandle } }: Assertion, userId: string): boolean {
  return userHandle === undefined || userHandle === null || userHandle === handleOf(userId)
}
