/** A signed-in user, with its teams. */
import { asc, eq, sql } from 'drizzle-orm'
import { prepared } from '../../../stores/db/prepared.ts'
import { sessions } from '../../../stores/db/schema/sessions.ts'
import { members, teams } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Membership } from '../select-session-team.ts'
import { limitedTo } from './limited-to.ts'

export type KnownSession = {
  sessionId: string
  userId: string
  expiresMs: number
  /** When it was last used, to the minute. */
  usedMs: number
  provenBy: 'password' | 'second_factor' | 'passkey' | 'provider'
  /** In the order in which the user joined. */
  memberships: Membership[]
}

const membership = {
  teamId: members.teamId,
  teamSlug: teams.slug,
  plan: teams.plan,
  personal: teams.personal,
  factorRequired: teams.secondFactorRequired,
  role: members.role,
  projects: limitedTo,
}

const sessionQuery = prepared((db) =>
  db
    .select({
      sessionId: sessions.id,
      userId: sessions.userId,
      expiresMs: sessions.expiresMs,
      usedMs: sessions.updatedMs,
      provenBy: sessions.provenBy,
      membership,
    })
    .from(sessions)
    .innerJoin(members, eq(members.userId, sessions.userId))
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(eq(sessions.tokenSha256, sql.placeholder('tokenSha256')))
    .orderBy(asc(members.joinedMs), asc(members.teamId))
    .prepare('find_session'),
)

/** The session with this hash, possibly expired; undefined if there is none, or its user has no team. */
export async function findSession(store: Store, tokenSha256: string): Promise<KnownSession | undefined> {
  const rows = await sessionQuery(store.lookUps).execute({ tokenSha256 })
  const [first] = rows
  if (!first) return undefined
  const { membership: _, ...session } = first
  return { ...session, memberships: rows.map((row) => row.membership) }
}

/** A user's teams, in the order in which the user joined. */
export async function membershipsOf(store: Store, userId: string): Promise<Membership[]> {
  return store.db
    .select(membership)
    .from(members)
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.joinedMs), asc(members.teamId))
}
