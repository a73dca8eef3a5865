import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { checkCredentialKind } from '../../../src/platform/callers/enforcement.ts'
import type { CredentialKind } from '../../../src/platform/callers/principal.ts'

const query = { name: 'projects.get', type: 'query' } as const
const mutation = { name: 'projects.put', type: 'mutation' } as const
const exchange = { name: 'tokens.mint', type: 'mutation' } as const

function outcome(called: Parameters<typeof checkCredentialKind>[0], kind: CredentialKind, on: boolean) {
  try {
    checkCredentialKind(called, kind, on)
    return 'taken'
  } catch (error) {
    return error instanceof AppError ? error.reason : error
  }
}

describe.each([
  ['with enforcement', true],
  ['without enforcement', false],
] as const)('%s', (_, on) => {
  it.each([
    ['key', query, 'taken'],
    ['session', query, 'taken'],
    ['jwt', query, 'taken'],
    ['key', mutation, on ? 'jwt_required' : 'taken'],
    ['session', mutation, on ? 'jwt_required' : 'taken'],
    ['jwt', mutation, 'taken'],
    ['key', exchange, 'taken'],
    ['session', exchange, 'taken'],
    ['jwt', exchange, 'jwt_cannot_mint'],
    ['identity', exchange, 'taken'],
    ['identity', query, 'unauthorized'],
    ['identity', mutation, 'unauthorized'],
  ] as const)('a %s that calls %o is %s', (kind, called, wanted) => {
    expect(outcome(called, kind, on)).toBe(wanted)
  })
})
