/** The address that a person is shown with, and signs in with. */
import { eq, sql } from 'drizzle-orm'
import { claimedAddresses } from '../../stores/db/schema/people.ts'
import { users } from '../../stores/db/schema/teams.ts'

/** With its table: a query that returns what it changed names columns without theirs. */
const ofUser = sql`${claimedAddresses}.user_id = ${users}.id`

/** The proven address of a row of `users`, else the claimed one, else null. */
export const shownEmail = sql<string | null>`coalesce(${users}.email,
  (select ${claimedAddresses}.email from ${claimedAddresses} where ${ofUser}))`

/** Whether an invitation's link has made the account of a row of `users`, and its address isn't proven. */
export const isUnproven = sql<boolean>`exists (select from ${claimedAddresses} where ${ofUser})`

/** The condition for the claims of an address. */
export const isClaimOf = (email: string) => eq(claimedAddresses.email, email)
