import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { lowerRole, requireOwner } from '../../../src/platform/callers/roles.ts'

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

describe('an action for owners', () => {
  it('is allowed to an owner', () => {
    expect(() => requireOwner({ role: 'owner' }, 'do this')).not.toThrow()
  })

  it('is refused to a member, with a message that names the action', () => {
    const refuse = () => requireOwner({ role: 'member' }, 'set protection')
    expect(refuse).toThrow(AppError)
    expect(refuse).toThrow('Only an owner of the team may set protection.')
  })
})
