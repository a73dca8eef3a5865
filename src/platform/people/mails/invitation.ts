/** The mail to somebody who is invited to a team. */
import { and, eq, gt, isNull, notExists } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { declinedInvitations, invitations } from '../../../stores/db/schema/invitations.ts'
import { teams, users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Hourly } from '../../mail/hourly.ts'
import { nameInText } from '../../mail/name-in-text.ts'
import type { Mail } from '../../mail/smtp.ts'
import { insertLink, invitationLifetimeMs, linkUrl } from '../links.ts'
import { signInPath } from '../paths.ts'

/** `by` is the id of the user who invites. */
export type Invited = { teamId: string; email: string; by: string }

type Context = {
  store: Store
  apiUrl: string
  nowMs: number
  send: (mail: Mail) => Promise<void>
  limits: { ofTeam: Hourly; toMailbox: Hourly }
}

/**
 * Sends the invitation, unless it was withdrawn meanwhile or the person declined one of this team recently.
 * Who has an account gets the address for signing in, anybody else a link that makes one.
 * @throws Error of the store or the mail server.
 */
export async function mailInvitation(context: Context, invited: Invited): Promise<void> {
  const { store, apiUrl, nowMs, send, limits } = context
  const { teamId, email } = invited
  const invitation = await readInvitation(store.db, invited, nowMs)
  if (!invitation) return
  if (!limits.ofTeam.take(teamId, nowMs) || !limits.toMailbox.take(email, nowMs)) return
  const link = (await hasAccount(store.db, email)) ? undefined : await newLink(store, email, nowMs)
  const way =
    link === undefined
      ? { sentence: signIn, url: `${apiUrl}${signInPath}` }
      : { sentence: join, url: linkUrl(apiUrl, link) }
  await send({ to: email, subject: 'An invitation to a team', text: textOf(apiUrl, invitation, way) })
}

type Invitation = { slug: string; team: string; role: string; name: string; from: string | null }

async function readInvitation(
  db: Database,
  { teamId, email, by }: Invited,
  nowMs: number,
): Promise<Invitation | undefined> {
  const declined = db
    .select({ teamId: declinedInvitations.teamId })
    .from(declinedInvitations)
    .where(
      and(
        eq(declinedInvitations.teamId, teamId),
        eq(declinedInvitations.email, email),
        gt(declinedInvitations.untilMs, nowMs),
      ),
    )
  const [row] = await db
    .select({
      slug: teams.slug,
      team: teams.name,
      role: invitations.role,
      name: users.name,
      from: users.email,
    })
    .from(invitations)
    .innerJoin(teams, and(eq(teams.id, invitations.teamId), isNull(teams.deletedMs)))
    .innerJoin(users, eq(users.id, by))
    .where(and(eq(invitations.teamId, teamId), eq(invitations.email, email), notExists(declined)))
  return row
}

/** With an address that isn't verified, the link verifies it. */
async function hasAccount(db: Database, email: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), users.emailVerified))
  return found.length > 0
}

async function newLink(store: Store, email: string, nowMs: number): Promise<string> {
  const times = { lifetimeMs: invitationLifetimeMs, nowMs }
  return (await store.transact((tx) => insertLink(tx, { email }, times))).token
}

const signIn = 'Sign in to accept or decline:'
const join =
  'Choose a password to make your account, then accept or decline. The address\nworks once, for seven days:'

function textOf(
  apiUrl: string,
  { slug, team, role, name, from }: Invitation,
  { sentence, url }: { sentence: string; url: string },
): string {
  const named = nameInText(name, '')
  const who = [named, named === '' ? from : from && `(${from})`].filter(Boolean).join(' ')
  return `${who || 'An owner'} invites you to the team ${nameInText(team, slug)} (${slug}) at
${apiUrl}
as ${role === 'owner' ? 'an owner' : 'a member'}.

${sentence}
${url}

You join only by accepting. If you don't know who this is, do nothing.
`
}
