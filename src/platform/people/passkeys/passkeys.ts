/** The passkeys of a person: listing, renaming and removing them. */
import { and, asc, eq } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import { passkeys } from '../../../stores/db/schema/passkeys.ts'
import type { Store } from '../../../stores/db/store.ts'
import { holdCredential, holdUser } from '../../callers/hold-caller.ts'
import type { Asking } from '../../callers/require-session.ts'
import type { FactorDeps } from '../second-factor/attempt.ts'
import { endUnused } from '../second-factor/enrol.ts'
import { type Person, proven } from '../second-factor/proof.ts'
import type { Proof } from '../second-factor/second-factor-input.ts'
import type { Factor } from '../second-factor/second-factor-output.ts'
import type { PasskeyRecord, RequestOptions } from './passkey-output.ts'
import { describeCredentials, requestOptions } from './use.ts'

/** Those of the person, the oldest first. */
export async function listPasskeys({ db }: Store, { userId }: Asking): Promise<{ data: PasskeyRecord[] }> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdMs), asc(passkeys.id))
  return { data: rows.map(recordOf) }
}

/** Gives one of the person's another name. @throws AppError `passkey_not_found`, `unauthorized`. */
export async function renamePasskey(
  store: Store,
  { userId, sessionId }: Asking,
  { id, name }: { id: string; name: string },
): Promise<PasskeyRecord> {
  return store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const [renamed] = await tx
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .returning()
    if (!renamed) throw notFound()
    return recordOf(renamed)
  })
}

/**
 * Removes one of the person's. With the last second factor the recovery codes go, too, and the password alone
 * is enough again.
 * @throws AppError `passkey_not_found`; as `proven` does.
 */
export async function removePasskey(
  deps: FactorDeps,
  person: Person,
  { id, ...proof }: Proof & { id: string },
): Promise<Factor> {
  const { userId } = person
  return proven(deps, person, proof, async (tx) => {
    const removed = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .returning({ id: passkeys.id })
    if (removed.length === 0) throw notFound()
    return endUnused(tx, userId)
  })
}

/**
 * Resolves to the options to use one of the person's passkeys as the proof of a change, in the same session.
 * @throws AppError `passkey_not_found` for a person without one; `passkeys_not_available`.
 */
export async function startProof(deps: FactorDeps, { userId, sessionId }: Asking): Promise<RequestOptions> {
  const allowed = await describeCredentials(deps.store.db, userId)
  if (allowed.length === 0) throw notFound()
  return requestOptions(deps, { purpose: 'proof', holder: sessionId }, allowed)
}

/** A row as its person sees it. */
export function recordOf({ id, name, createdMs, usedMs }: typeof passkeys.$inferSelect): PasskeyRecord {
  return { id, name, created_ms: createdMs, last_used_ms: usedMs }
}

function notFound(): AppError {
  return new AppError('passkey_not_found', 'You have no such passkey.')
}
