/** The role that each procedure requires. */
import { AppError } from '../errors.ts'
import type { Role } from './principal.ts'

/**
 * The role that each procedure requires in the caller's team; `owner of it` is about the team that the call names, which
 * is checked there. Some require more for a part of their input (an owner's field, another user's key): that is checked
 * with `requireOwner` there.
 */
export const requiredRoles = {
  'deployments.create': 'member',
  'deployments.list': 'member',
  'deployments.get': 'member',
  'deployments.files': 'member',
  'deployments.compare': 'member',
  'deployments.promote': 'member',
  'deployments.delete': 'member',
  'projects.list': 'member',
  'projects.summaries': 'member',
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
  'dns.check': 'member',
  'dns.exportZone': 'member',
  'dns.importZone': 'member',
  'webhooks.list': 'member',
  'webhooks.create': 'owner',
  'webhooks.get': 'member',
  'webhooks.delete': 'owner',
  'webhooks.deliveries': 'member',
  'webhooks.test': 'owner',
  'webhooks.redeliver': 'owner',
  'webhooks.enable': 'owner',
  'teams.list': 'member',
  'teams.get': 'member',
  'teams.put': 'owner of it',
  'teams.delete': 'owner of it',
  // About the user itself, which is checked there.
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
  'account.get': 'member',
  'events.follow': 'member',
} as const satisfies Record<string, Role | 'owner of it'>

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
