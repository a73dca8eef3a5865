/** The roles of a team's members. */
import { AppError } from '../../lib/errors.ts'
import type { Role } from './principal.ts'

/** The lower of two roles: a key never has more permissions than its user. */
export function lowerRole(a: Role, b: Role): Role {
  return a === 'owner' && b === 'owner' ? 'owner' : 'member'
}

/**
 * Passes owners.
 * @throws AppError `role_required`; `what` completes "Only an owner of the team may …".
 */
export function requireOwner(caller: { role: Role }, what: string): void {
  if (caller.role !== 'owner') throw new AppError('role_required', `Only an owner of the team may ${what}.`)
}
