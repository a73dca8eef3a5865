/** Who gets the mail about an event. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { members, users } from '../../../stores/db/schema/teams.ts'
import { webhookSubscribers } from '../../../stores/db/schema/webhooks.ts'
import { limitedTo } from '../../callers/look-ups/limited-to.ts'
import { sees } from '../../callers/scope.ts'

export type Recipient = { userId: string; email: string }

/** An event as it was queued; a test event is for all who chose the mails. */
type Concerned = { webhookId: string; type: string; projectId: string | null }

/**
 * The members who chose the mails of the webhook and have proven their address, as they are now; of those
 * limited to some projects, whom the event's project concerns.
 */
export async function recipientsOf(
  db: Database,
  { webhookId, type, projectId }: Concerned,
): Promise<Recipient[]> {
  const rows = await db
    .select({ userId: users.id, email: users.email, projects: limitedTo })
    .from(webhookSubscribers)
    .innerJoin(
      members,
      and(eq(members.teamId, webhookSubscribers.teamId), eq(members.userId, webhookSubscribers.userId)),
    )
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(webhookSubscribers.webhookId, webhookId), isNotNull(users.email), users.emailVerified))
    .orderBy(users.id)
  return rows.flatMap(({ userId, email, projects }) =>
    email !== null && (type === 'webhook.ping' || sees({ projects }, projectId)) ? [{ userId, email }] : [],
  )
}
