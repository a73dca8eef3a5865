/** Authorizes a call before its input is parsed. */
import { type Called, checkCredentialKind } from '../auth/enforcement.ts'
import { requiredRoles, requireOwner } from '../auth/roles.ts'
import type { Context } from './context.ts'

/** Checks the caller's credential and role for the procedure. @throws AppError. */
export function authorize({ principal, services }: Context, called: Called): void {
  const { name } = called
  checkCredentialKind(called, principal.kind, services.jwts !== undefined)
  if (!hasRole(name)) throw new Error(`No role is set for ${name}.`)
  if (requiredRoles[name] === 'owner') requireOwner(principal, 'do this')
}

function hasRole(name: string): name is keyof typeof requiredRoles {
  return Object.hasOwn(requiredRoles, name)
}
