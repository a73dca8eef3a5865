/** How many links of invitations a user may make in a time: each may make an account. */
import { eq, sql } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { users } from '../../../stores/db/schema/teams.ts'

const windowMs = 24 * 60 * 60_000
const maxMade = 100

/** Counts one more, and locks the user. @throws AppError `rate_limited`; the transaction must not commit. */
export async function countMadeLink(tx: Database, userId: string, nowMs: number): Promise<void> {
  const { linksMade: made, linksMadeSinceMs: sinceMs } = users
  const isNew = sql`${nowMs}::bigint not between ${sinceMs} and ${sinceMs} + ${windowMs - 1}`
  const [counted] = await tx
    .update(users)
    .set({
      linksMade: sql`case when ${isNew} then 1 else ${made} + 1 end`,
      linksMadeSinceMs: sql`case when ${isNew} then ${nowMs}::bigint else ${sinceMs} end`,
    })
    .where(eq(users.id, userId))
    .returning({ made, sinceMs })
  if (!counted || counted.made <= maxMade) return
  throw new AppError(
    'rate_limited',
    `A user may make ${maxMade} links of invitations within 24 hours. Try again later.`,
    { retryAfterMs: counted.sinceMs + windowMs - nowMs },
  )
}
