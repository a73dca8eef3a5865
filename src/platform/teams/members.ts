/** Reads and replaces the members of a team. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { invitations } from '../../stores/db/schema/invitations.ts'
import { memberProjects } from '../../stores/db/schema/member-projects.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members, users } from '../../stores/db/schema/teams.ts'
import type { EventData } from '../../stores/events/types.ts'
import { limitedTo } from '../callers/look-ups/limited-to.ts'
import type { Role } from '../callers/principal.ts'
import { shownEmail } from '../people/person-email.ts'
import { nameProjects } from './name-projects.ts'
import { isSameStanding, type MemberChanges, planMembers, standingOf } from './plan-members.ts'
import { type SetStanding, standingEvents, type Updated } from './standing-events.ts'
import type { WantedMember } from './team-input.ts'

/** The members of a team whose row is locked. */
export function readMembers(tx: Database, teamId: string) {
  return tx
    .select({ userId: members.userId, email: shownEmail, role: members.role, projects: limitedTo })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.teamId, teamId))
}

/** A member or an invitation that is added or removed; `user` is null for an invitation. */
type Member = { user: string | null; email: string | null; role: Role }

/** The users affected, the data of events, and whether anything changed. */
type Changed = {
  userIds: string[]
  added: EventData<'member.added'>['member'][]
  updated: Updated[]
  removed: Member[]
  changed: boolean
}

/**
 * Replaces the locked team's members and invitations by `wanted`. New addresses are invited, without
 * revealing whether there is such a user; members left out are removed with their keys. Unchanged rows aren't
 * written.
 * @throws AppError `owner_required`, `personal_team`, `invalid_input` for what is no project of the team.
 */
export async function changeMembers(
  tx: Database,
  team: { id: string; personal: boolean },
  wanted: WantedMember[],
  nowMs: number,
): Promise<Changed> {
  const current = await readMembers(tx, team.id)
  const changes = planMembers(team.personal, current, await nameProjects(tx, team.id, wanted))
  await setMembers(tx, team.id, changes)
  const invited = await setInvitations(tx, team.id, changes, nowMs)
  const userIds = [...changes.remove, ...changes.set.map(({ userId }) => userId)]
  const known = new Map(current.map((each) => [each.userId, each]))
  const ofMembers = changes.set.map(({ userId, ...standing }) => {
    const before = known.get(userId)
    return { user: userId, email: before?.email ?? null, before, ...standing }
  })
  const happened = await standingEvents(tx, [...ofMembers, ...invited.set])
  return {
    userIds,
    changed: userIds.length > 0 || invited.changed,
    ...happened,
    removed: [
      ...current
        .filter(({ userId }) => changes.remove.includes(userId))
        .map(({ userId, email, role }) => ({ user: userId, email, role })),
      ...invited.removed,
    ],
  }
}

async function setMembers(tx: Database, teamId: string, { set, remove }: MemberChanges): Promise<void> {
  if (remove.length > 0) {
    await tx.delete(members).where(and(eq(members.teamId, teamId), inArray(members.userId, remove)))
  }
  if (set.length === 0) return
  const rows = set.map(({ userId, role, projects }) => ({
    user_id: userId,
    role,
    limited: projects !== null,
  }))
  await tx.execute(sql`
    update ${members} set role = wanted.role, limited = wanted.limited
    from json_to_recordset(${JSON.stringify(rows)}::json) as wanted (user_id text, role text, limited boolean)
    where members.team_id = ${teamId} and members.user_id = wanted.user_id`)
  await setLimits(tx, teamId, set)
}

async function setLimits(tx: Database, teamId: string, set: MemberChanges['set']): Promise<void> {
  const userIds = set.map(({ userId }) => userId)
  await tx
    .delete(memberProjects)
    .where(and(eq(memberProjects.teamId, teamId), inArray(memberProjects.userId, userIds)))
  const seen = set.flatMap(({ userId, projects }) => ({ userId, projects: projects ?? [] }))
  await limitTo(tx, teamId, seen)
}

/** Adds the projects that users are limited to; without those that are gone. */
export async function limitTo(
  tx: Database,
  teamId: string,
  seen: { userId: string; projects: string[] }[],
): Promise<void> {
  const rows = seen.flatMap(({ userId, projects }) => projects.map((id) => ({ user_id: userId, id })))
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into ${memberProjects} (team_id, user_id, project_id)
    select ${teamId}, wanted.user_id, wanted.id
    from json_to_recordset(${JSON.stringify(rows)}::json) as wanted (user_id text, id text)
    join ${projects} on projects.id = wanted.id and projects.team_id = ${teamId}
    for key share of projects`)
}

async function setInvitations(
  tx: Database,
  teamId: string,
  { invite }: MemberChanges,
  createdMs: number,
): Promise<{ set: SetStanding[]; removed: Member[]; changed: boolean }> {
  const { email, role } = invitations
  const before = await tx
    .select({ email, role, projects: invitations.projects })
    .from(invitations)
    .where(eq(invitations.teamId, teamId))
  const known = new Map(before.map((each) => [each.email, each]))
  const wanted = invite.map((each) => ({ email: each.email, ...standingOf(each, known.get(each.email)) }))
  const emails = new Set(invite.map((each) => each.email))
  const gone = before.filter((each) => !emails.has(each.email))
  const set = wanted.filter((each) => !isSameStanding(each, known.get(each.email)))
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
      .onConflictDoUpdate({
        target: [invitations.teamId, email],
        set: { role: sql`excluded.role`, projects: sql`excluded.projects` },
      })
  }
  return {
    set: set.map((each) => ({ user: null, before: known.get(each.email), ...each })),
    removed: gone.map((each) => ({ user: null, email: each.email, role: each.role })),
    changed: gone.length > 0 || set.length > 0,
  }
}
