/** Creates a team at an unused slug, owned by the caller's user. */
import { and, count, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { members } from '../../stores/db/schema/teams.ts'
import { holdCredential, holdMembership, holdUser } from '../callers/hold-caller.ts'
import { beyondLimitedKey } from '../callers/key-limits/limits.ts'
import { insertKey } from '../callers/keys.ts'
import { requireOwner } from '../callers/roles.ts'
import { teamNotFound } from '../callers/team-not-found.ts'
import { tokenPrefix } from '../callers/token.ts'
import { unauthorized } from '../callers/unauthorized.ts'
import { roleOf, type TeamCaller } from './caller.ts'
import { countMade } from './count-made.ts'
import { insertTeamOf } from './insert.ts'
import { checkSlug } from './slug.ts'

/** The maximum teams that a user may own, including the personal one. */
const maxOwned = 20

type FirstKey = { id: string; token: string; name: string; prefix: string; role: 'owner' }

/**
 * Inserts the team and an owner key of it; returns the team's id and the key.
 * @throws AppError `role_required`, `unauthorized` (the caller was just removed, or its credential revoked),
 * `scope` for a key with limits of its own, `team_not_found` for an id, `invalid_input` for an invalid slug,
 * `too_many_teams`.
 * @throws the database's unique violation if the slug is in use.
 */
export async function createTeam(
  tx: Database,
  caller: TeamCaller,
  { slug, name }: { slug: string; name: string },
  nowMs: number,
): Promise<{ id: string; key: FirstKey }> {
  const { userId } = caller
  await requireOwnRole(tx, caller)
  // The new team's key would have none of the limits.
  if (caller.boundTo?.hasLimitedKey) throw beyondLimitedKey()
  if (isId('team', slug)) throw teamNotFound(slug)
  checkSlug(slug)
  // Locked, so that the count is exact.
  await holdUser(tx, userId)
  await holdCredential(tx, caller.credential)
  const [owned] = await tx
    .select({ teams: count() })
    .from(members)
    .where(and(eq(members.userId, userId), eq(members.role, 'owner')))
  if ((owned?.teams ?? 0) >= maxOwned) {
    throw new AppError('too_many_teams', `A user may own ${maxOwned} teams. Delete one of them first.`)
  }
  await countMade(tx, userId, nowMs)
  const id = await insertTeamOf(tx, { slug, name, personal: false, ownerId: userId }, nowMs)
  const key = { name: 'first key', role: 'owner' } as const
  const made = await insertKey(tx, { teamId: id, userId, ...key, createdMs: nowMs })
  return { id, key: { ...made, ...key, prefix: tokenPrefix(made.token) } }
}

/**
 * With a team's key the user must be an owner there now: it may have been removed since the key was cached.
 */
async function requireOwnRole(tx: Database, caller: TeamCaller): Promise<void> {
  const { userId, boundTo } = caller
  if (!boundTo) return
  const role = await holdMembership(tx, { teamId: boundTo.teamId, userId })
  if (!role) throw unauthorized()
  requireOwner({ role: roleOf(caller, role) }, 'create another, or change this one')
}
