/** The sessions of a person: listing them, and ending them everywhere at once. */
import { and, desc, eq, gt, ne, type SQL } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { asSecret } from '../../lib/secret.ts'
import type { Database } from '../../stores/db/database.ts'
import { isFirstDue } from '../../stores/db/first-due.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { holdCredential, holdUser } from '../callers/hold-caller.ts'
import type { Asking } from '../callers/require-session.ts'
import { hashToken } from '../callers/token.ts'
import { deviceOf } from './device.ts'
import { endPersonVisits } from './end-person-visits.ts'
import type { Ended, SessionRecord } from './session-output.ts'

const maxListed = 100

type Reading = { db: Database; nowMs: number }

/** The rows of the user's unexpired sessions, most recently used first; at most 100. */
export function readSessions({ db, nowMs }: Reading, userId: string) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresMs, nowMs)))
    .orderBy(desc(sessions.updatedMs))
    .limit(maxListed)
}

/** The user's unexpired sessions, most recently used first; at most 100. */
export async function listSessions(
  reading: Reading,
  { userId, sessionId }: Asking,
): Promise<{ data: SessionRecord[] }> {
  const rows = await readSessions(reading, userId)
  const data = rows.map((row) => ({
    id: row.id,
    created_ms: row.createdMs,
    last_used_ms: row.updatedMs,
    expires_ms: row.expiresMs,
    address: row.ipAddress || null,
    device: deviceOf(row.userAgent),
    current: row.id === sessionId,
  }))
  return { data }
}

/** Ends the session of a token, if there is one. */
export async function endSession(store: Store, token: string): Promise<void> {
  await store.transact((tx) => deleteSessions(tx, eq(sessions.tokenSha256, hashToken(asSecret(token)))))
}

/**
 * Ends one of the user's sessions; with another one than the caller's, visits to protected sites end.
 * @throws AppError `session_not_found`, `unauthorized`.
 */
export async function endSessionById(
  store: Store,
  asking: Asking,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const condition = and(eq(sessions.userId, asking.userId), eq(sessions.id, id))
  const isOwn = id === asking.sessionId
  const ended = isId('session', id) ? await endAs(store, asking, { condition, isSigningOut: isOwn }) : 0
  if (ended === 0) throw new AppError('session_not_found', 'You have no such session.')
  return { id, deleted: true }
}

/**
 * Ends all of the user's sessions but the caller's, and visits to protected sites.
 * @throws AppError `unauthorized`.
 */
export async function endOtherSessions(store: Store, asking: Asking): Promise<Ended> {
  return { ended: await endAs(store, asking, { condition: isOther(asking), isSigningOut: false }) }
}

/** The condition for the user's sessions but the request's own. */
export function isOther({ userId, sessionId }: Asking): SQL | undefined {
  return and(eq(sessions.userId, userId), ne(sessions.id, sessionId))
}

/** An ended session can't end others. */
function endAs(
  store: Store,
  { userId, sessionId }: Asking,
  { condition, isSigningOut }: { condition: SQL | undefined; isSigningOut: boolean },
): Promise<number> {
  return store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    if (!isSigningOut) await endPersonVisits(tx, [userId])
    return deleteSessions(tx, condition)
  })
}

const forgottenAtOnce = 1_000

/** Forgets up to 1,000 sessions that expired. Resolves to how many. */
export async function deleteExpiredSessions({
  store,
  nowMs,
}: {
  store: Store
  nowMs: number
}): Promise<number> {
  return store.transact((tx) => {
    const expired = { key: sessions.id, dueMs: sessions.expiresMs, lock: 'update' } as const
    return deleteSessions(tx, isFirstDue(tx, expired, forgottenAtOnce, nowMs))
  })
}

/** Deletes the rows that match `condition`, and invalidates caches of each; returns how many there were. */
export async function deleteSessions(tx: Transaction, condition: SQL | undefined): Promise<number> {
  const ended = await tx.delete(sessions).where(condition).returning({ tokenSha256: sessions.tokenSha256 })
  for (const { tokenSha256 } of ended) tx.announce({ kind: 'session', id: tokenSha256 })
  return ended.length
}
