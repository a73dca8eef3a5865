/** Makes the link of an invitation. */
import { and, eq } from 'drizzle-orm'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { invitationLinks, invitations } from '../../../stores/db/schema/invitations.ts'
import { claimedAddresses } from '../../../stores/db/schema/people.ts'
import type { Store } from '../../../stores/db/store.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { holdCredential } from '../../callers/hold-caller.ts'
import { hashToken } from '../../callers/token.ts'
import { invitationLifetimeMs, newLinkToken } from '../../people/links.ts'
import { joinPath } from '../../people/paths.ts'
import type { TeamCaller } from '../caller.ts'
import { lockOwnedTeam } from '../lock-owned.ts'
import { countMadeLink } from './count-made.ts'
import { selectLinks } from './find-invitation-link.ts'
import type { InvitationLinkRecord } from './invitation-link-output.ts'

type Deps = { store: Store; apiUrl: string; nowMs: () => number }

/**
 * Makes a link with which somebody without an account joins the team, in place of the invitation's earlier
 * one. Only its hash is stored. For owners whose address isn't merely claimed: links make accounts, which
 * must not make more of them.
 * @throws AppError `unauthorized`, `team_not_found`, `role_required`, `invalid_input` for an address that
 * isn't invited, `rate_limited`.
 */
export async function createInvitationLink(
  { store, apiUrl, nowMs: now }: Deps,
  caller: TeamCaller,
  { team: reference, email }: { team: string; email: string },
): Promise<InvitationLinkRecord & { url: string }> {
  const nowMs = now()
  const token = newLinkToken()
  const link = {
    id: newId('invitationLink', nowMs),
    tokenSha256: hashToken(token),
    createdBy: caller.userId,
    createdMs: nowMs,
    expiresMs: nowMs + invitationLifetimeMs,
  }
  const made = await store.transact(async (tx) => {
    const team = await lockOwnedTeam(tx, caller, reference, 'make links of its invitations')
    await countMadeLink(tx, caller.userId, nowMs)
    await holdCredential(tx, caller.credential)
    await requireProven(tx, caller.userId)
    const [invited] = await tx
      .select({ email: invitations.email, role: invitations.role })
      .from(invitations)
      .where(and(eq(invitations.teamId, team.id), eq(invitations.email, email)))
    if (!invited)
      throw invalidField('email', 'not invited to this team, or a member already: invite it first')
    await tx
      .insert(invitationLinks)
      .values({ ...link, teamId: team.id, email })
      .onConflictDoUpdate({ target: [invitationLinks.teamId, invitationLinks.email], set: link })
    await recordEvents(tx, { origin: caller.origin, nowMs }, [
      {
        teamId: team.id,
        type: 'invitation_link.created',
        data: { invitation_link: { id: link.id, ...invited } },
      },
    ])
    return selectLinks(tx, eq(invitationLinks.id, link.id))
  })
  const [record] = made
  if (!record) throw new Error('The link was not inserted.')
  return { ...record, url: `${apiUrl}${joinPath}?token=${token}` }
}

async function requireProven(tx: Database, userId: string): Promise<void> {
  const [claim] = await tx
    .select({ email: claimedAddresses.email })
    .from(claimedAddresses)
    .where(eq(claimedAddresses.userId, userId))
  if (!claim) return
  throw new AppError(
    'role_required',
    'Your address is not confirmed yet: do so on your account page, or ask another owner to make the link.',
  )
}
