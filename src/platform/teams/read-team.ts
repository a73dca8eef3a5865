/** Reads teams: one with its members, or a page of them by slug. */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterName, type Page, pageOf } from '../../stores/db/page.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { invitations } from '../../stores/db/schema/invitations.ts'
import { members, teams, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { invitedTo, limitedTo } from '../callers/look-ups/limited-to.ts'
import { narrowed } from '../callers/scope.ts'
import { teamNotFound } from '../callers/team-not-found.ts'
import { isUnproven, shownEmail } from '../people/person-email.ts'
import { requireFactorOf, roleOf, sees, type TeamCaller } from './caller.ts'
import type { MemberRecord, TeamDetails, TeamRecord } from './team-output.ts'

const columns = {
  id: teams.id,
  slug: teams.slug,
  name: teams.name,
  plan: teams.plan,
  personal: teams.personal,
  role: members.role,
  second_factor_required: teams.secondFactorRequired,
  limited: sql<boolean>`coalesce(${members}.limited and ${members}.role = 'member', false)`,
  created_ms: teams.createdMs,
}

/** Members in the order in which they joined, then invitations, with the ids of users. */
const people = sql<(MemberRecord & { user_id: string | null })[]>`(
  select json_agg(json_build_object('email', email, 'name', name, 'role', role, 'joined_ms', joined_ms,
    'unproven', unproven, 'projects', projects, 'user_id', user_id)
    order by joined_ms nulls last, email, user_id)
  from (
    select ${shownEmail} as email, ${users.name} as name, members.role as role,
      members.joined_ms as joined_ms, ${users.id} as user_id, ${isUnproven} as unproven,
      ${limitedTo} as projects
    from ${members} join ${users} on ${users.id} = members.user_id
    where members.team_id = ${teams.id}
    union all
    select ${invitations.email}, null, ${invitations.role}, null, null, false, ${invitedTo}
    from ${invitations} where ${invitations.teamId} = ${teams.id}
  ) as people)`

/** At least `created_ms`, also for teams older than the column. */
export const updatedMs = sql`greatest(${teams.updatedMs}, ${teams.createdMs})`.mapWith(Number)

/** Also for teams without the user: then `role` is null. */
function selectBy(db: Database, reference: SQL) {
  return db
    .select({ ...columns, members: people, updated_ms: updatedMs })
    .from(teams)
    .leftJoin(members, and(eq(members.teamId, teams.id), eq(members.userId, sql.placeholder('userId'))))
    .where(and(reference, isNull(teams.deletedMs)))
}

const bySlug = prepared((db) =>
  selectBy(db, eq(teams.slug, sql.placeholder('reference'))).prepare('team_by_slug'),
)
const byId = prepared((db) => selectBy(db, eq(teams.id, sql.placeholder('reference'))).prepare('team_by_id'))

/** The team by slug or id, if the caller sees one. */
export async function findTeam(
  store: Store,
  caller: TeamCaller,
  reference: string,
): Promise<TeamDetails | undefined> {
  const query = isId('team', reference) ? byId(store.lookUps) : bySlug(store.lookUps)
  const [row] = await query.execute({ userId: caller.userId, reference })
  if (!row?.role || !sees(caller, row.id)) return undefined
  const { role, members, ...team } = row
  const limited = isLimited(caller, team)
  const listed = limited ? members.filter(({ user_id }) => user_id === caller.userId) : members
  return {
    ...team,
    limited,
    role: roleOf(caller, role),
    members: listed.map((each) => withinKey(caller, each)),
  }
}

/** Whether the caller sees only some projects of the team, as a member or with a key. */
function isLimited({ boundTo }: TeamCaller, team: { limited: boolean }): boolean {
  return team.limited || (boundTo !== undefined && boundTo.keyProjects !== null)
}

/** The record of a limited member, as far as the caller's key sees the projects. */
function withinKey<M extends MemberRecord>({ boundTo }: TeamCaller, member: M): M {
  const { projects } = member
  if (!projects || !boundTo?.keyProjects) return member
  return { ...member, projects: [...(narrowed(projects, boundTo.keyProjects) ?? [])] }
}

/** Whether the user owns the team with this slug, which the credential of a request need not see. */
export async function isOwnedBy({ db }: Store, userId: string, slug: string): Promise<boolean> {
  const owned = await db
    .select({ id: teams.id })
    .from(teams)
    .innerJoin(members, eq(members.teamId, teams.id))
    .where(
      and(
        eq(teams.slug, slug),
        isNull(teams.deletedMs),
        eq(members.userId, userId),
        eq(members.role, 'owner'),
      ),
    )
  return owned.length > 0
}

/**
 * The team as its owner sees it after creating or changing it, even if that removed the owner.
 * @throws AppError `team_not_found` if it was deleted since.
 */
export async function getChangedTeam(store: Store, userId: string, id: string): Promise<TeamDetails> {
  const [row] = await byId(store.lookUps).execute({ userId, reference: id })
  if (!row) throw teamNotFound(id)
  return { ...row, role: row.role ?? 'owner' }
}

/** The team by slug or id, with its members. @throws AppError `team_not_found`, `second_factor_required`. */
export async function getTeam(store: Store, caller: TeamCaller, reference: string): Promise<TeamDetails> {
  const team = await findTeam(store, caller, reference)
  if (!team) throw teamNotFound(reference)
  requireFactorOf(caller, { slug: team.slug, factorRequired: team.second_factor_required })
  return team
}

/** The teams that the caller sees, by slug. @throws AppError `invalid_cursor`. */
export async function listTeams(
  { db }: Store,
  caller: TeamCaller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<TeamRecord>> {
  const { userId, boundTo } = caller
  const rows = await db
    .select(columns)
    .from(members)
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(
      and(
        eq(members.userId, userId),
        boundTo && eq(members.teamId, boundTo.teamId),
        afterName(cursor, teams.slug),
      ),
    )
    .orderBy(asc(teams.slug))
    .limit(limit + 1)
  const page = pageOf(rows, limit, ({ slug }) => [slug])
  return {
    ...page,
    data: page.data.map((row) => ({
      ...row,
      limited: isLimited(caller, row),
      role: roleOf(caller, row.role),
    })),
  }
}
