/** Computes the changes of a team's members. */
import { AppError } from '../../lib/errors.ts'
import type { Role } from '../callers/principal.ts'
import type { WantedMember } from './team-input.ts'

/** `projects` are the ids of those that the member is limited to, in order; null without a limit. */
type Current = { userId: string; email: string | null; role: Role; projects: string[] | null }

/** The role and the limit that a member, or an invitation, is to have. */
type Standing = Pick<Current, 'role' | 'projects'>

export type MemberChanges = {
  /** Members whose role or limit changes. */
  set: ({ userId: string } & Standing)[]
  /** Members left out. */
  remove: string[]
  /** Wanted addresses that aren't members; other invitations are withdrawn. */
  invite: (Pick<WantedMember, 'role' | 'projects'> & { email: string })[]
}

/**
 * The wanted role and limit. A limit that is left out stays as it was; an owner has none, so that whoever
 * becomes one loses it.
 */
export function standingOf(
  { role, projects }: Pick<WantedMember, 'role' | 'projects'>,
  before: Standing | undefined,
): Standing {
  const kept = projects === undefined ? (before?.projects ?? null) : projects
  return { role, projects: role === 'owner' ? null : kept }
}

/** Whether nothing changes. */
export function isSameStanding(one: Standing, other: Standing | undefined): boolean {
  return one.role === other?.role && one.projects?.join() === other.projects?.join()
}

/**
 * The changes from the `current` members to the `wanted` ones.
 * @throws AppError `owner_required` if no owner would be left; `personal_team` if a personal team's owner
 * would change.
 */
export function planMembers(personal: boolean, current: Current[], wanted: WantedMember[]): MemberChanges {
  const users = usersByEmail(current)
  const before = new Map(current.map((each) => [each.userId, each]))
  const bound = wanted.flatMap((each) =>
    [...(users.get(each.email) ?? [])].map((userId) => ({ userId, ...standingOf(each, before.get(userId)) })),
  )
  const after = new Map(bound.map(({ userId, role }) => [userId, role]))
  if (!bound.some(isOwner)) {
    throw new AppError(
      'owner_required',
      'members: one of the owners must be a member already. ' +
        '"email": null stands for all members without an address.',
    )
  }
  const set = bound.filter((each) => !isSameStanding(each, before.get(each.userId)))
  const invite = wanted.flatMap(({ email, role, projects }) =>
    email === null || users.has(email) ? [] : { email, role, projects },
  )
  const lost = current.filter((each) => isOwner(each) && after.get(each.userId) !== 'owner')
  if (personal && (lost.length > 0 || [...set, ...invite].some(isOwner))) {
    throw new AppError(
      'personal_team',
      'members: a personal team keeps its one owner; others can be members of it.',
    )
  }
  return { set, remove: [...before.keys()].filter((userId) => !after.has(userId)), invite }
}

function isOwner({ role }: { role: Role }): boolean {
  return role === 'owner'
}

function usersByEmail(users: Current[]): Map<string | null, Set<string>> {
  const byEmail = new Map<string | null, Set<string>>()
  for (const { userId, email } of users) {
    byEmail.set(email, (byEmail.get(email) ?? new Set()).add(userId))
  }
  return byEmail
}
