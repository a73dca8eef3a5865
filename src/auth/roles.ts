/** What each role may do: one table from procedure to the role it needs. */
import { AppError } from '../errors.ts'
import type { Role } from './principal.ts'

/**
 * The role that each procedure needs in the caller's team; `owner of it` is one in the team that the call names, which is
 * checked where that is known. Some need more for a part of what they do (an owner's field, somebody else's key): that is
 * checked with `requireOwner` where the part is known.
 */
export const requiredRoles = {
  'deployments.create': 'member',
  'deployments.list': 'member',
  'deployments.get': 'member',
  'deployments.promote': 'member',
  'deployments.delete': 'member',
  'projects.list': 'member',
  'projects.get': 'member',
  'projects.put': 'member',
  'projects.delete': 'owner',
  'domains.list': 'member',
  'domains.get': 'member',
  'domains.put': 'member',
  'domains.delete': 'owner',
  'domains.verify': 'member',
  'dns.list': 'member',
  'dns.create': 'member',
  'dns.get': 'member',
  'dns.put': 'member',
  'dns.delete': 'member',
  'dns.exportZone': 'member',
  'dns.importZone': 'member',
  'webhooks.list': 'member',
  'webhooks.create': 'owner',
  'webhooks.get': 'member',
  'webhooks.delete': 'owner',
  'webhooks.redeliver': 'owner',
  'webhooks.enable': 'owner',
  'teams.list': 'member',
  'teams.get': 'member',
  'teams.put': 'owner of it',
  'teams.delete': 'owner of it',
  // Of the person itself, which is checked there.
  'teams.invitations': 'member',
  'teams.acceptInvitation': 'member',
  'teams.declineInvitation': 'member',
  'tokens.createKey': 'member',
  'tokens.listKeys': 'member',
  'tokens.revokeKey': 'member',
  'tokens.mint': 'member',
  'observability.overview': 'member',
  'observability.logs': 'member',
  'observability.metrics': 'member',
} as const satisfies Record<string, Role | 'owner of it'>

/** The lower of two roles: a key never does more than its user may. */
export function lowerRole(a: Role, b: Role): Role {
  return a === 'owner' && b === 'owner' ? 'owner' : 'member'
}

/**
 * Does nothing for an owner.
 * @throws AppError `role_required`; `what` completes "Only an owner of the team may …".
 */
export function requireOwner(caller: { role: Role }, what: string): void {
  if (caller.role !== 'owner') throw new AppError('role_required', `Only an owner of the team may ${what}.`)
}
