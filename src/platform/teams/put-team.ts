/** Creates or configures a team at its slug; idempotent. */
import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { isUniqueViolation } from '../../stores/db/failures.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { type NewEvent, recordEvents } from '../../stores/events/record-events.ts'
import { raiseAccessVersion } from '../callers/access-version.ts'
import { holdCredential } from '../callers/hold-caller.ts'
import { requireOwner } from '../callers/roles.ts'
import { teamNotFound } from '../callers/team-not-found.ts'
import type { Mails } from '../people/mails/mails.ts'
import { requireFactorOf, roleOf, type TeamCaller } from './caller.ts'
import { createTeam } from './create-team.ts'
import { type LockedTeam, lockTeam } from './lock.ts'
import { changeMembers, readMembers } from './members.ts'
import { findTeam, getChangedTeam, isOwnedBy } from './read-team.ts'
import type { TeamChanges, WantedMember } from './team-input.ts'
import type { TeamDetails } from './team-output.ts'

/** Without `mails`, whoever is invited sees it after signing in. */
type Deps = { store: Store; mails?: Pick<Mails, 'invite'> | undefined; nowMs: () => number }

/**
 * Creates the team at the slug `reference`, or changes the team with that slug or id; unchanged values aren't
 * written. For a new team, `api_key` is the token of an owner key.
 * @throws AppError `unauthorized`, `role_required`, `team_not_found`, `name_in_use`, `invalid_input`,
 * `too_many_teams`, `changed_since`, `owner_required`, `personal_team`.
 */
export async function putTeam(
  { store, mails, nowMs }: Deps,
  caller: TeamCaller,
  reference: string,
  changes: TeamChanges,
): Promise<TeamDetails & { api_key?: string }> {
  const { id, token, invited } = await saveTeam({ store, nowMs }, caller, reference, changes)
  for (const email of invited) mails?.invite({ teamId: id, email, by: caller.userId })
  const team = await getChangedTeam(store, caller.userId, id)
  return token === undefined ? team : { ...team, api_key: token }
}

/** `invited` are the addresses that weren't before. */
type Saved = { id: string; token?: string; invited: string[] }

async function saveTeam(
  { store, nowMs }: Deps,
  caller: TeamCaller,
  reference: string,
  changes: TeamChanges,
): Promise<Saved> {
  try {
    return await store.transact(async (tx) => {
      const team = await lockTeam(tx, caller, reference, 'no key update')
      const change = { tx, caller, nowMs: nowMs() }
      if (!team) return createAs(change, reference, changes)
      await holdCredential(tx, caller.credential)
      await requireOwnerOf(tx, caller, team, reference)
      return { id: team.id, invited: await updateTeam(change, team, changes) }
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The same user created the same team at the same time: change that one.
    if (await findTeam(store, caller, reference))
      return saveTeam({ store, nowMs }, caller, reference, changes)
    const message = (await isOwnedBy(store, caller.userId, reference))
      ? `You own the team ${reference}, but this credential is bound to another: ` +
        `use an API key of ${reference}, or a session.`
      : `The slug ${reference} is in use. Choose another.`
    throw new AppError('name_in_use', message, { cause: error })
  }
}

/** A transaction in which the caller changes a team. */
type TeamChange = {
  tx: Transaction
  caller: TeamCaller
  nowMs: number
}

async function createAs(
  change: TeamChange,
  slug: string,
  { name = slug, members, updated_ms }: TeamChanges,
): Promise<Saved> {
  const { tx, caller, nowMs } = change
  // Who has read a team wants to change that one.
  if (updated_ms !== undefined) throw teamNotFound(slug)
  const { id, key } = await createTeam(tx, caller, { slug, name }, nowMs)
  const { token, ...fields } = key
  tx.announce({ kind: 'member', id: caller.userId })
  const set = await setMembers(change, { id, personal: false }, members)
  await recordEvents(tx, { origin: caller.origin, nowMs }, [
    { teamId: id, type: 'team.created', data: { team: { id, slug, name } } },
    { teamId: id, type: 'key.created', data: { key: fields } },
    ...set.happened,
  ])
  return { id, token, invited: set.invited }
}

/** The caller may have been removed or demoted while it waited for the lock. */
async function requireOwnerOf(
  tx: Database,
  caller: TeamCaller,
  team: LockedTeam,
  reference: string,
): Promise<void> {
  const members = await readMembers(tx, team.id)
  const member = members.find(({ userId }) => userId === caller.userId)
  if (!member) throw teamNotFound(reference)
  requireOwner({ role: roleOf(caller, member.role) }, 'change it')
  requireFactorOf(caller, team)
}

async function updateTeam(
  change: TeamChange,
  team: LockedTeam,
  { name, members, updated_ms }: TeamChanges,
): Promise<string[]> {
  const { tx, caller, nowMs } = change
  if (updated_ms !== undefined && updated_ms !== team.updatedMs) {
    throw new AppError(
      'changed_since',
      'The team was changed since it was read. Read it again, and apply your change to that.',
    )
  }
  const set = await setMembers(change, team, members)
  const isRenamed = name !== undefined && name !== team.name
  const changed = [...(isRenamed ? ['name'] : []), ...(set.changed ? ['members'] : [])]
  if (changed.length === 0) return []
  await tx
    .update(teams)
    // Strictly increasing, so that it identifies a state of the team.
    .set({ ...(isRenamed && { name }), updatedMs: Math.max(nowMs, team.updatedMs + 1) })
    .where(eq(teams.id, team.id))
  tx.announce({ kind: 'team', id: team.id })
  const { id, slug } = team
  const fields = { id, slug, name: name ?? team.name }
  const changes = isRenamed ? [changeOf('name', team.name, name)] : []
  const data = { team: fields, changed, changes }
  const updated: NewEvent = { teamId: id, type: 'team.updated', data }
  await recordEvents(tx, { origin: caller.origin, nowMs }, [updated, ...set.happened])
  return set.invited
}

/** Resolves to whether anything changed, to the events' data, and to the addresses that were invited. */
async function setMembers(
  { tx, nowMs }: TeamChange,
  team: { id: string; personal: boolean },
  wanted: WantedMember[] | undefined,
): Promise<{ changed: boolean; happened: NewEvent[]; invited: string[] }> {
  if (!wanted) return { changed: false, happened: [], invited: [] }
  const { userIds, changed, added, updated, removed } = await changeMembers(tx, team, wanted, nowMs)
  for (const id of userIds) tx.announce({ kind: 'member', id })
  if (userIds.length > 0) await raiseAccessVersion(tx, team.id)
  const teamId = team.id
  const happened = [
    ...added.map((member): NewEvent => ({ teamId, type: 'member.added', data: { member } })),
    ...updated.map((data): NewEvent => ({ teamId, type: 'member.updated', data })),
    ...removed.map((member): NewEvent => ({ teamId, type: 'member.removed', data: { member } })),
  ]
  return { changed, happened, invited: added.flatMap(({ email }) => email ?? []) }
}
