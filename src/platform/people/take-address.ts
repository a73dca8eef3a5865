/** Takes an address, which somebody has just proven, from the accounts that only claim it. */
import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { invitations } from '../../stores/db/schema/invitations.ts'
import { accounts, claimedAddresses } from '../../stores/db/schema/people.ts'
import { secondFactors } from '../../stores/db/schema/second-factors.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { members, teams, users } from '../../stores/db/schema/teams.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { type NewEvent, recordEvents } from '../../stores/events/record-events.ts'
import { raiseAccessVersion } from '../callers/access-version.ts'
import { limitedTo } from '../callers/look-ups/limited-to.ts'
import type { Role } from '../callers/principal.ts'
import { endPersonVisits } from './end-person-visits.ts'
import { passwordAccount } from './password.ts'
import { isClaimOf } from './person-email.ts'
import { deleteSessions } from './sessions.ts'

type Joined = { teamId: string; userId: string; role: Role; projects: string[] | null }

/**
 * Ends the claims of the address, but that of the user `keptId`: these accounts lose their sessions, their
 * password, and the teams that they joined by invitation, with their keys there. Each of these teams invites
 * the address again, with the same limit, so that whoever has proven it may accept. A team keeps its only
 * owner. Call it before rows of users are locked: teams always are first.
 */
export async function takeAddress(
  tx: Transaction,
  { email, keptId = '' }: { email: string; keptId?: string },
  nowMs: number,
): Promise<void> {
  const claims = await tx
    .select({ userId: claimedAddresses.userId })
    .from(claimedAddresses)
    .where(and(isClaimOf(email), ne(claimedAddresses.userId, keptId)))
  const userIds = claims.map(({ userId }) => userId)
  if (userIds.length === 0) return
  await leaveTeams(tx, { email, userIds }, nowMs)
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(asc(users.id))
    .for('no key update')
  await tx
    .delete(accounts)
    .where(and(inArray(accounts.userId, userIds), eq(accounts.providerId, passwordAccount)))
  await tx.delete(secondFactors).where(inArray(secondFactors.userId, userIds))
  await deleteSessions(tx, inArray(sessions.userId, userIds))
  await endPersonVisits(tx, userIds)
  await tx.update(claimedAddresses).set({ email: null }).where(inArray(claimedAddresses.userId, userIds))
}

async function leaveTeams(
  tx: Transaction,
  { email, userIds }: { email: string; userIds: string[] },
  nowMs: number,
): Promise<void> {
  const left = await lockJoined(tx, userIds)
  if (left.length === 0) return
  await tx
    .delete(members)
    .where(or(...left.map((each) => and(eq(members.teamId, each.teamId), eq(members.userId, each.userId)))))
  const invited = await notJoinedBy(tx, email, left)
  if (invited.length > 0) {
    await tx
      .insert(invitations)
      .values(
        invited.map(({ teamId, role, projects }) => ({ teamId, email, role, projects, createdMs: nowMs })),
      )
      .onConflictDoNothing()
  }
  for (const { userId } of left) tx.announce({ kind: 'member', id: userId })
  for (const teamId of new Set(left.map((each) => each.teamId))) await raiseAccessVersion(tx, teamId)
  await recordEvents(tx, { origin: null, nowMs }, [
    ...left.map(({ teamId, userId: user, role }): NewEvent => {
      return { teamId, type: 'member.removed', data: { member: { user, email, role } } }
    }),
    ...invited.map(({ teamId, role }): NewEvent => {
      return { teamId, type: 'member.added', data: { member: { user: null, email, role } } }
    }),
  ])
}

/** Their memberships, but those of a team's only owner, with the teams locked. */
async function lockJoined(tx: Transaction, userIds: string[]): Promise<Joined[]> {
  const ofUsers = tx.select({ id: members.teamId }).from(members).where(inArray(members.userId, userIds))
  await tx
    .select({ id: teams.id })
    .from(teams)
    .where(inArray(teams.id, ofUsers))
    .orderBy(asc(teams.id))
    .for('no key update')
  const joined = await tx
    .select({
      teamId: members.teamId,
      userId: members.userId,
      role: members.role,
      projects: limitedTo,
      hasOtherOwner: sql<boolean>`exists (select from ${members} as other where
        other.team_id = ${members}.team_id and other.role = 'owner' and other.user_id <> ${members}.user_id)`,
    })
    .from(members)
    .where(inArray(members.userId, userIds))
  return joined.filter(({ role, hasOtherOwner }) => role === 'member' || hasOtherOwner)
}

/** The memberships in teams where the person who has proven the address isn't. */
async function notJoinedBy(tx: Transaction, email: string, left: Joined[]): Promise<Joined[]> {
  const own = await tx
    .select({ teamId: members.teamId })
    .from(users)
    .innerJoin(members, eq(members.userId, users.id))
    .where(eq(users.email, email))
  const known = new Set(own.map(({ teamId }) => teamId))
  return left.filter(({ teamId }) => !known.has(teamId))
}
