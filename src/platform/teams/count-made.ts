/**
 * How many teams a user may create in a time: each has limits of its own, which a team made anew would begin
 * again.
 */
import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { users } from '../../stores/db/schema/teams.ts'

const windowMs = 24 * 60 * 60_000
const maxMade = 100

/** Counts one more, also if it is deleted again. The user is locked. @throws AppError `too_many_teams`. */
export async function countMade(tx: Database, userId: string, nowMs: number): Promise<void> {
  const [user] = await tx
    .select({ made: users.teamsMade, sinceMs: users.teamsMadeSinceMs })
    .from(users)
    .where(eq(users.id, userId))
  const isNew = !user || nowMs < user.sinceMs || nowMs >= user.sinceMs + windowMs
  const made = isNew ? 0 : user.made
  if (made >= maxMade) {
    throw new AppError(
      'too_many_teams',
      `A user may create ${maxMade} teams within 24 hours, also if they are deleted. Try again later.`,
    )
  }
  await tx
    .update(users)
    .set({ teamsMade: made + 1, ...(isNew && { teamsMadeSinceMs: nowMs }) })
    .where(eq(users.id, userId))
}
