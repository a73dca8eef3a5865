/** What every call passes before its input is looked at, whichever way it came. */
import { type Called, checkCredentialKind } from '../auth/enforcement.ts'
import { requiredRoles, requireOwner } from '../auth/roles.ts'
import type { Context } from './context.ts'
import { checkStorableText } from './storable-text.ts'

/** Checks the caller's credential and role for what is called, then the text of its input. @throws AppError. */
export function admit(ctx: Context, called: Called, rawInput: unknown): void {
  const { name } = called
  checkCredentialKind(called, ctx.principal.kind, ctx.services.jwts !== undefined)
  if (!hasRole(name)) throw new Error(`No role is set for ${name}.`)
  if (requiredRoles[name] === 'owner') requireOwner(ctx.principal, 'do this')
  checkStorableText(rawInput)
}

function hasRole(name: string): name is keyof typeof requiredRoles {
  return Object.hasOwn(requiredRoles, name)
}
