/** How the person of a session proved to be it: a team may require more than a password. */
import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../../../stores/db/schema/sessions.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'

/** Notes how the session's person proved to be it, beyond a password. */
export async function proveSession(
  tx: Transaction,
  id: string,
  provenBy: 'second_factor' | 'passkey',
): Promise<void> {
  const [session] = await tx
    .update(sessions)
    .set({ provenBy })
    .where(and(eq(sessions.id, id), eq(sessions.provenBy, 'password')))
    .returning({ tokenSha256: sessions.tokenSha256 })
  if (session) tx.announce({ kind: 'session', id: session.tokenSha256 })
}

/** Makes a session that takes the place of another one as good as that one. */
export async function keepProof(store: Store, from: string, to: string): Promise<void> {
  const proof = store.db.select({ provenBy: sessions.provenBy }).from(sessions).where(eq(sessions.id, from))
  await store.db
    .update(sessions)
    .set({ provenBy: sql`coalesce((${proof}), 'password')` })
    .where(eq(sessions.id, to))
}
