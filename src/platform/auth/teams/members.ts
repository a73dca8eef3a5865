/** Reads and replaces the members of a team. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { invitations } from '../../../stores/db/schema/invitations.ts'
import { members, users } from '../../../stores/db/schema/teams.ts'
import { shownEmail } from '../people/shown-email.ts'
import { type Role, roleSchema } from '../principal.ts'
import type { WantedMember } from './input.ts'
import { type MemberChanges, planMembers } from './plan-members.ts'

/** The members of a team whose row is locked. */
export function readMembers(tx: Database, teamId: string) {
  return tx
    .select({ userId: members.userId, email: shownEmail, role: members.role })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.teamId, teamId))
}

/** A member or an invitation that is added or removed; `user` is null for an invitation. */
type Told = { user: string | null; email: string | null; role: Role }

/** The users affected, the additions and removals, and whether anything changed. */
type Changed = { userIds: string[]; added: Told[]; removed: Told[]; changed: boolean }

/**
 * Replaces the locked team's members and invitations by `wanted`. New addresses are invited, without
 * revealing whether there is such a user; members left out are removed with their keys. Unchanged rows aren't
 * written.
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
  const invitation = (each: { email: string; role: Role }) => ({ user: null, ...each })
  return {
    added: set.filter((each) => !roles.has(each.email)).map(invitation),
    removed: gone.map(invitation),
    changed: gone.length > 0 || set.length > 0,
  }
}
