/** Who is in a team: reads them, and brings a new list of them about. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { invitations } from '../../db/schema/invitations.ts'
import { members, users } from '../../db/schema/teams.ts'
import type { Role } from '../principal.ts'
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
 * Makes `wanted` the whole list of the locked team's members and invitations. Who is left out is removed, with their
 * keys. What is so already isn't written again.
 * @throws AppError `owner_required`, `personal_team`.
 */
export async function changeMembers(
  tx: Database,
  team: { id: string; personal: boolean },
  wanted: WantedMember[],
  nowMs: number,
): Promise<Changed> {
  const current = await readMembers(tx, team.id)
  const known = await findVerified(tx, wanted)
  const changes = planMembers(team.personal, current, wanted, known)
  await setMembers(tx, team.id, changes, nowMs)
  const invited = await setInvitations(tx, team.id, changes, nowMs)
  const before = new Map(current.map((each) => [each.userId, each]))
  const emails = new Map(known.map(({ userId, email }) => [userId, email]))
  const joined = changes.set.filter(({ userId }) => !before.has(userId))
  const userIds = [...changes.remove, ...changes.set.map(({ userId }) => userId)]
  return {
    userIds,
    changed: userIds.length > 0 || invited.changed,
    added: [
      ...joined.map(({ userId, role }) => ({ user: userId, email: emails.get(userId) ?? null, role })),
      ...invited.added,
    ],
    removed: [
      ...current
        .filter(({ userId }) => changes.remove.includes(userId))
        .map(({ userId, email, role }) => ({ user: userId, email, role })),
      ...invited.removed,
    ],
  }
}

/** The users who have verified one of these addresses: for others an address says nothing. */
async function findVerified(tx: Database, wanted: WantedMember[]) {
  const emails = wanted.flatMap(({ email }) => email ?? [])
  return tx
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(and(inArray(users.email, emails), users.emailVerified))
}

async function setMembers(
  tx: Database,
  teamId: string,
  { set, remove }: MemberChanges,
  joinedMs: number,
): Promise<void> {
  if (remove.length > 0) {
    await tx.delete(members).where(and(eq(members.teamId, teamId), inArray(members.userId, remove)))
  }
  if (set.length === 0) return
  await tx
    .insert(members)
    .values(set.map((each) => ({ teamId, joinedMs, ...each })))
    .onConflictDoUpdate({
      target: [members.teamId, members.userId],
      set: { role: sql`excluded.role` },
    })
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
