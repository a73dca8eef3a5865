/** Who is in a team: reads them, and brings a new list of them about. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { invitations } from '../../db/schema/invitations.ts'
import { members, users } from '../../db/schema/teams.ts'
import { type Role, roleSchema } from '../principal.ts'
import { type MemberChanges, planMembers, type WantedMember } from './plan-members.ts'

/** The members of a team whose row is locked. */
export function readMembers(tx: Database, teamId: string) {
  return tx
    .select({ userId: members.userId, email: users.email, role: members.role })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.teamId, teamId))
}

/** Somebody who comes into a team or leaves it; `user` is null for an invitation. */
type Told = { user: string | null; email: string | null; role: Role }

/** The users for whom something changed, who is new or gone, and whether anything is otherwise than it was. */
type Changed = { userIds: string[]; added: Told[]; removed: Told[]; changed: boolean }

/**
 * Makes `wanted` the whole list of the locked team's members and invitations. Who is new is invited, whether or not there
 * is such a user, of which nothing is said; who is left out is removed, with their keys. What is so already isn't written
 * again.
 * @throws AppError `owner_required`, `personal_team`.
 */
export async function changeMembers(
  tx: Database,
  team: { id: string; personal: boolean },
  wanted: WantedMember[],
  nowMs: number,
): Promise<Changed> {
  const current = await readMembers(tx, team.id)
  const changes = planMembers(team.personal, current, wanted)
  await setMembers(tx, team.id, changes)
  const invited = await setInvitations(tx, team.id, changes, nowMs)
  const userIds = [...changes.remove, ...changes.set.map(({ userId }) => userId)]
  return {
    userIds,
    changed: userIds.length > 0 || invited.changed,
    added: invited.added,
    removed: [
      ...current
        .filter(({ userId }) => changes.remove.includes(userId))
        .map(({ userId, email, role }) => ({ user: userId, email, role })),
      ...invited.removed,
    ],
  }
}

async function setMembers(tx: Database, teamId: string, { set, remove }: MemberChanges): Promise<void> {
  const ofTeam = (userIds: string[]) => and(eq(members.teamId, teamId), inArray(members.userId, userIds))
  if (remove.length > 0) await tx.delete(members).where(ofTeam(remove))
  for (const role of roleSchema.options) {
    const userIds = set.filter((each) => each.role === role).map(({ userId }) => userId)
    if (userIds.length > 0) await tx.update(members).set({ role }).where(ofTeam(userIds))
  }
}

async function setInvitations(
  tx: Database,
  teamId: string,
  { invite }: MemberChanges,
  createdMs: number,
): Promise<{ added: Told[]; removed: Told[]; changed: boolean }> {
  const { email, role } = invitations
  const before = await tx.select({ email, role }).from(invitations).where(eq(invitations.teamId, teamId))
  const emails = new Set(invite.map((each) => each.email))
  const roles = new Map(before.map((each) => [each.email, each.role]))
  const gone = before.filter((each) => !emails.has(each.email))
  const set = invite.filter((each) => roles.get(each.email) !== each.role)
  if (gone.length > 0) {
    const ofGone = inArray(
      email,
      gone.map((each) => each.email),
    )
    await tx.delete(invitations).where(and(eq(invitations.teamId, teamId), ofGone))
  }
  if (set.length > 0) {
    await tx
      .insert(invitations)
      .values(set.map((each) => ({ teamId, createdMs, ...each })))
      .onConflictDoUpdate({ target: [invitations.teamId, email], set: { role: sql`excluded.role` } })
  }
  const told = (each: { email: string; role: Role }) => ({ user: null, ...each })
  return {
    added: set.filter((each) => !roles.has(each.email)).map(told),
    removed: gone.map(told),
    changed: gone.length > 0 || set.length > 0,
  }
}
