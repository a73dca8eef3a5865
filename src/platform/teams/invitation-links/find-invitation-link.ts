/** Finds the links of invitations. */
import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { asSecret } from '../../../lib/secret.ts'
import type { Database } from '../../../stores/db/database.ts'
import { invitationLinks, invitations } from '../../../stores/db/schema/invitations.ts'
import { members, teams, users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { invitedTo } from '../../callers/look-ups/limited-to.ts'
import { makerColumns, makerEnd, ofMaker } from '../../callers/maker-right.ts'
import { requireOwner } from '../../callers/roles.ts'
import { hashToken } from '../../callers/token.ts'
import type { TeamCaller } from '../caller.ts'
import type { LockedInvitation } from '../invitations.ts'
import { getTeam } from '../read-team.ts'
import type { InvitationLinkRecord } from './invitation-link-output.ts'

/** Joins links with their invitations. */
export const ofInvitation = and(
  eq(invitations.teamId, invitationLinks.teamId),
  eq(invitations.email, invitationLinks.email),
)

/** A link counts only while who made it is an owner. */
const ofOwner = and(ofMaker(invitationLinks), eq(members.role, sql`'owner'`))

/** An invitation as its link's page shows it; `by` is the name of who made the link. */
export type LinkedInvitation = LockedInvitation & { team: string; by: string }

/** The invitation of a valid link. */
export async function findLinkedInvitation(
  db: Database,
  token: string,
  nowMs: number,
): Promise<LinkedInvitation | undefined> {
  const [found] = await db
    .select({
      teamId: teams.id,
      slug: teams.slug,
      team: teams.name,
      email: invitations.email,
      role: invitations.role,
      projects: invitedTo,
      by: users.name,
    })
    .from(invitationLinks)
    .innerJoin(invitations, ofInvitation)
    .innerJoin(members, ofOwner)
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(teams, and(eq(teams.id, invitationLinks.teamId), isNull(teams.deletedMs)))
    .where(
      and(eq(invitationLinks.tokenSha256, hashToken(asSecret(token))), gt(invitationLinks.expiresMs, nowMs)),
    )
  return found
}

/**
 * The team's links whose time isn't over, without their secrets, by address. For owners.
 * @throws AppError `team_not_found`, `role_required`.
 */
export async function listInvitationLinks(
  { store, nowMs }: { store: Store; nowMs: () => number },
  caller: TeamCaller,
  reference: string,
): Promise<{ data: InvitationLinkRecord[] }> {
  const team = await getTeam(store, caller, reference)
  requireOwner(team, 'see the links of its invitations')
  const isValid = and(eq(invitationLinks.teamId, team.id), gt(invitationLinks.expiresMs, nowMs()))
  return { data: await selectLinks(store.db, isValid) }
}

/** The links that fulfil the condition, as many as there are invitations at most. */
export async function selectLinks(db: Database, condition: SQL | undefined): Promise<InvitationLinkRecord[]> {
  const rows = await db
    .select({
      id: invitationLinks.id,
      email: invitationLinks.email,
      role: invitations.role,
      created_by: invitationLinks.createdBy,
      created_by_name: users.name,
      created_ms: invitationLinks.createdMs,
      expires_ms: invitationLinks.expiresMs,
      ...makerColumns,
    })
    .from(invitationLinks)
    .innerJoin(invitations, ofInvitation)
    .innerJoin(users, eq(users.id, invitationLinks.createdBy))
    .leftJoin(members, ofMaker(invitationLinks))
    .where(condition)
    .orderBy(asc(invitationLinks.email))
  return rows.map(({ makerRole, makerProjects, ...row }) => {
    return { ...row, ended: makerEnd({ makerRole, makerProjects }, { role: 'owner', projectId: null }) }
  })
}
