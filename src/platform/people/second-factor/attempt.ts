/** An attempt to prove a second factor, by somebody who knows the password. */
import { eq, sql } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { PasskeyDeps } from '../passkeys/use.ts'

/** The store, the key that opens the secrets in it, and what passkeys need. */
export type FactorDeps = PasskeyDeps & { store: Store; factorKey: Buffer }

/** A person's stored second factors, the number of passkeys, and whether signing in takes a factor. */
export type Factors = typeof secondFactors.$inferSelect & { passkeys: number; isOn: boolean }

/** Becomes part of the row; undefined for a wrong one. */
type Used = Partial<typeof secondFactors.$inferSelect> | undefined

/** After so many wrong ones in a row none is looked at for a while (NIST SP 800-63B, section 5.2.2). */
const mostWrong = 10
const pauseMs = 15 * 60_000

/** How many passkeys the person of a row of `second_factors` has. */
export const passkeyCount = sql<number>`(select count(*)::int from passkeys
  where passkeys.user_id = ${secondFactors}.user_id)`

/** Whether signing in with the person's password takes more than that, by a row of `second_factors`. */
export const isFactorOn = sql<boolean>`(${secondFactors}.confirmed_ms is not null or exists
  (select from passkeys where passkeys.user_id = ${secondFactors}.user_id))`

/** The outcome of an attempt; `none` for a person without a second factor, of whom nothing was looked at. */
export type Outcome = 'none' | 'right' | 'wrong'

/**
 * Whether `use` accepts what somebody sent, and has changed the row by that. Wrong ones count for the person,
 * from whatever address.
 * @throws AppError `rate_limited` after ten wrong ones, for 15 minutes.
 */
export async function attempt(
  { store, nowMs }: FactorDeps,
  userId: string,
  use: (tx: Database, row: Factors) => Used | Promise<Used>,
): Promise<Outcome> {
  return store.transact(async (tx) => {
    const row = await lockFactors(tx, userId)
    if (!row?.isOn) return 'none'
    return (await countTry(tx, row, () => use(tx, row), nowMs())) ? 'right' : 'wrong'
  })
}

/**
 * Whether `use` accepts what somebody sent, for a row that is locked. A wrong one is counted, which the
 * transaction has to commit.
 * @throws AppError `rate_limited` after ten wrong ones, for 15 minutes.
 */
export async function countTry(
  tx: Database,
  row: Factors,
  use: () => Used | Promise<Used>,
  nowMs: number,
): Promise<boolean> {
  requirePatience(row, nowMs)
  const used = await use()
  const changes = used
    ? { ...used, wrong: 0 }
    : { wrong: row.wrong >= mostWrong ? 1 : row.wrong + 1, wrongMs: nowMs }
  await tx.update(secondFactors).set(changes).where(eq(secondFactors.userId, row.userId))
  return used !== undefined
}

/** The person's row, locked until the transaction ends: attempts are made one after another. */
export async function lockFactors(tx: Database, userId: string): Promise<Factors | undefined> {
  const [locked] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId)).for('update')
  if (!locked) return undefined
  // Passkeys come and go with the row locked, so these are counted after the wait for it.
  const [counted] = await tx
    .select({ passkeys: passkeyCount, isOn: isFactorOn })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId))
  return counted && { ...locked, ...counted }
}

function requirePatience({ wrong, wrongMs }: Factors, nowMs: number): void {
  const retryAfterMs = wrongMs + pauseMs - nowMs
  if (wrong < mostWrong || retryAfterMs <= 0) return
  const minutes = Math.ceil(retryAfterMs / 60_000)
  throw new AppError('rate_limited', `Too many wrong codes. Try again in ${minutes} min.`, { retryAfterMs })
}
