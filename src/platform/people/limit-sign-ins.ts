/**
 * Limits how often a password is tried for one email address, from however many addresses of the network. Who
 * has a session that was begun from the same one is let through: nobody can keep people out of their account
 * where they use it.
 */
import { hash } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { users } from '../../stores/db/schema/teams.ts'
import { addressBucket } from '../limits/address-bucket.ts'
import type { Limiter } from '../limits/limiter.ts'

/** The sessions that are looked at, the latest first. */
const maxSessions = 100

/** Passes a try, before the password is looked at. @throws AppError `rate_limited`. */
export async function admitSignIn(
  { db, tries }: { db: Database; tries: Limiter },
  { email, address }: { email: string; address: string },
): Promise<void> {
  const { allowed, waitMs } = await tries.draw(`sign-in ${hash('sha256', email)}`, 1)
  if (allowed || (await isKnown(db, email, addressBucket(address)))) return
  const seconds = Math.ceil(waitMs / 1_000)
  throw new AppError('rate_limited', `Too many tries for ${email}. Try again in ${seconds} s.`, {
    retryAfterMs: waitMs,
  })
}

async function isKnown(db: Database, email: string, bucket: string): Promise<boolean> {
  const begun = await db
    .select({ address: sessions.ipAddress })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(eq(users.email, email))
    .orderBy(desc(sessions.updatedMs))
    .limit(maxSessions)
  return begun.some(({ address }) => address !== null && addressBucket(address) === bucket)
}
