/** Which mails of the team a member chooses: for each person their own choice, whatever the role. */
import { and, desc, eq, sql } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import { webhookSubscribers, webhooks } from '../../../stores/db/schema/webhooks.ts'
import type { Store } from '../../../stores/db/store.ts'
import { holdCaller } from '../../callers/hold-caller.ts'
import type { Principal } from '../../callers/principal.ts'
import { requireSession } from '../../callers/require-session.ts'
import { idList } from '../../callers/scope.ts'
import { namesOf, ofTeam, webhookNotFound } from '../read-webhook.ts'
import type { MailChoice } from '../webhook-output.ts'

/** A caller; `projects` are those that it is limited to. */
type Member = Pick<Principal, 'teamId' | 'userId' | 'projects'>

/**
 * The mails that the member may choose, newest first, at most as many as a team has webhooks: of a limited
 * member those that concern a project of theirs.
 */
export async function listMailChoices(db: Database, member: Member): Promise<MailChoice[]> {
  return selectChoices(db, member)
    .where(isOffered(member))
    .orderBy(desc(webhooks.createdMs), desc(webhooks.id))
}

/**
 * Sends the person the mails of a webhook from now on, or no more of them. A key doesn't speak for a person,
 * so that nobody is signed up by somebody else.
 * @throws AppError `role_required` without a session, `webhook_not_found`, `invalid_input` if the person has
 * no proven address; as `holdCaller` does.
 */
export async function chooseMails(
  { store, nowMs }: { store: Store; nowMs: () => number },
  principal: Principal,
  { webhook: id, isChosen }: { webhook: string; isChosen: boolean },
): Promise<MailChoice> {
  const { userId } = requireSession(principal)
  const { teamId } = principal
  const condition = and(ofTeam(teamId, id), isOffered(principal))
  return store.transact(async (tx) => {
    await holdCaller(tx, principal)
    const [webhook] = await tx.select({ id: webhooks.id }).from(webhooks).where(condition).for('share')
    if (!webhook) throw webhookNotFound()
    if (isChosen) {
      await checkAddress(tx, userId)
      const chosen = { webhookId: id, teamId, userId, createdMs: nowMs() }
      await tx.insert(webhookSubscribers).values(chosen).onConflictDoNothing()
    } else await endMails(tx, { webhook: id, user: userId })
    const [choice] = await selectChoices(tx, principal).where(condition)
    if (!choice) throw webhookNotFound()
    return choice
  })
}

/** Ends the mails of a webhook to a user; also if there are none. */
export async function endMails(
  db: Database,
  { webhook, user }: { webhook: string; user: string },
): Promise<void> {
  await db
    .delete(webhookSubscribers)
    .where(and(eq(webhookSubscribers.webhookId, webhook), eq(webhookSubscribers.userId, user)))
}

async function checkAddress(tx: Database, userId: string): Promise<void> {
  const proven = and(eq(users.id, userId), users.emailVerified, sql`${users.email} is not null`)
  if ((await tx.$count(users, proven)) > 0) return
  throw new AppError('invalid_input', 'Mails go to proven addresses only. Prove yours: see the page Account.')
}

/** The condition for those of the team's webhooks whose mails concern the member. */
function isOffered({ teamId, projects }: Member) {
  const concerns =
    projects === null
      ? undefined
      : sql`${projects.length > 0} and (${webhooks.projects} is null or exists (
          select from jsonb_array_elements_text(${webhooks.projects}) as chosen (id)
          where chosen.id = any(${idList(projects)})))`
  return and(eq(webhooks.teamId, teamId), eq(webhooks.format, 'mail'), concerns)
}

function selectChoices(db: Database, { userId, projects }: Member) {
  return db
    .select({
      webhook: webhooks.id,
      events: webhooks.events,
      projects: namesOf(projects),
      enabled: webhooks.enabled,
      chosen: sql<boolean>`exists (select from ${webhookSubscribers}
        where webhook_id = ${webhooks}.id and user_id = ${userId})`,
    })
    .from(webhooks)
}
