/** Turns invitations into memberships once the invited person has proved the address. */
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { invitations } from '../../db/schema/invitations.ts'
import { members, teams, users } from '../../db/schema/teams.ts'
import type { Store } from '../../db/store.ts'
import { type NewEvent, recordEvents } from '../../events/record-events.ts'

/**
 * Makes the user a member of every team that invited this address, in any case of its letters. Does nothing unless it is
 * the user's own verified one. Safe to call at each sign-in.
 */
export async function acceptInvitations(
  store: Store,
  user: { userId: string; email: string },
  nowMs: number,
): Promise<void> {
  const { userId } = user
  const email = user.email.toLowerCase()
  await store.transact(async (tx, announce) => {
    if (!(await hasVerified(tx, userId, email))) return
    const teamIds = await lockInviting(tx, email)
    if (teamIds.length === 0) return
    const accepted = await tx
      .delete(invitations)
      .where(and(eq(invitations.email, email), inArray(invitations.teamId, teamIds)))
      .returning({ teamId: invitations.teamId, role: invitations.role })
    if (accepted.length === 0) return
    const joined = await tx
      .insert(members)
      .values(accepted.map((each) => ({ userId, joinedMs: nowMs, ...each })))
      // Whoever is in the team already has the role that its owners gave them there.
      .onConflictDoNothing()
      .returning({ teamId: members.teamId, role: members.role })
    announce({ kind: 'member', id: userId })
    const happened = joined.map(({ teamId, role }): NewEvent => {
      return { teamId, type: 'member.added', data: { member: { user: userId, email, role } } }
    })
    await recordEvents(tx, announce, { origin: null, nowMs }, happened)
  })
}

async function hasVerified(tx: Database, userId: string, email: string): Promise<boolean> {
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), users.emailVerified))
  return user !== undefined
}

/** Locks the teams, in one order for all, so that no owner changes the list of members at the same time. */
async function lockInviting(tx: Database, email: string): Promise<string[]> {
  const inviting = tx.select({ id: invitations.teamId }).from(invitations).where(eq(invitations.email, email))
  const locked = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(inArray(teams.id, inviting), isNull(teams.deletedMs)))
    .orderBy(asc(teams.id))
    .for('no key update')
  return locked.map(({ id }) => id)
}
