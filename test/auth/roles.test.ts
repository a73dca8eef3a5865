import { describe, expect, it } from 'vitest'
import type { Principal, Role } from '../../src/auth/principal.ts'
import { lowerRole, requiredRoles, requireOwner } from '../../src/auth/roles.ts'
import { AppError } from '../../src/errors.ts'
import { appRouter } from '../../src/routers/index.ts'

function principal(role: Role): Principal {
  return {
    kind: 'key',
    prefix: 'svc_Ab3dE6…',
    plan: 'free',
    keyId: 'key_1',
    userId: 'usr_1',
    teamId: 'team_1',
    teamSlug: 'team',
    role,
  }
}

it('names a role for every procedure there is, and for no other', () => {
  const procedures: Record<string, unknown> = appRouter._def.procedures
  expect(Object.keys(requiredRoles).toSorted()).toEqual(Object.keys(procedures).toSorted())
})

describe('the lower of two roles', () => {
  it.each([
    ['owner', 'owner', 'owner'],
    ['owner', 'member', 'member'],
    ['member', 'owner', 'member'],
    ['member', 'member', 'member'],
  ] as const)('of %s and %s is %s', (a, b, lower) => {
    expect(lowerRole(a, b)).toBe(lower)
  })
})

describe('what is for owners', () => {
  it('is allowed to an owner', () => {
    expect(() => requireOwner(principal('owner'), 'do this')).not.toThrow()
  })

  it('is refused to a member, who is told what it was', () => {
    const refuse = () => requireOwner(principal('member'), 'set protection')
    expect(refuse).toThrow(AppError)
    expect(refuse).toThrow('Only an owner of the team may set protection.')
  })
})
