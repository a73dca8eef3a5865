/** Computes the changes of a team's members. */
import { AppError } from '../../../lib/errors.ts'
import type { Role } from '../principal.ts'
import type { WantedMember } from './input.ts'

type Current = { userId: string; email: string | null; role: Role }

export type MemberChanges = {
  /** Members whose role changes. */
  set: { userId: string; role: Role }[]
  /** Members left out. */
  remove: string[]
  /** Wanted addresses that aren't members; other invitations are withdrawn. */
  invite: { email: string; role: Role }[]
}

/**
 * The changes from the `current` members to the `wanted` ones.
 * @throws AppError `owner_required` if no owner would be left; `personal_team` if a personal team's owner
 * would change.
 */
export function planMembers(personal: boolean, current: Current[], wanted: WantedMember[]): MemberChanges {
  const users = usersByEmail(current)
  const bound = wanted.flatMap(({ email, role }) =>
    [...(users.get(email) ?? [])].map((userId) => ({ userId, role })),
  )
  const after = new Map(bound.map(({ userId, role }) => [userId, role]))
  const before = new Map(current.map(({ userId, role }) => [userId, role]))
  if (!bound.some(isOwner)) {
    throw new AppError(
      'owner_required',
      'members: one of the owners must be a member already. ' +
        '"email": null stands for all members without an address.',
    )
  }
  const set = bound.filter(({ userId, role }) => before.get(userId) !== role)
  const invite = wanted.flatMap(({ email, role }) =>
    email === null || users.has(email) ? [] : { email, role },
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
