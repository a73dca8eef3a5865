import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { checkCredential } from '../../../src/platform/callers/enforcement.ts'
import type { CredentialKind, Principal } from '../../../src/platform/callers/principal.ts'
import { noKeyLimits } from '../../support/limits.ts'

const query = { name: 'projects.get', type: 'query' } as const
const stream = { name: 'events.follow', type: 'subscription' } as const
const mutation = { name: 'projects.put', type: 'mutation' } as const
const exchange = { name: 'tokens.mint', type: 'mutation' } as const

function callerOf(kind: CredentialKind, readOnly = false): Principal {
  const member = { userId: 'usr_1', teamId: 'team_1', teamSlug: 'a', plan: 'free', role: 'member' } as const
  const caller = { ...member, projects: null }
  const keyLimits = { ...noKeyLimits, readOnly }
  const factors = { hasFactor: true, factorRequired: false }
  switch (kind) {
    case 'key':
      return { ...caller, kind, keyId: 'key_1', prefix: 'svc_a…', keyLimits }
    case 'jwt':
      return {
        ...caller,
        ...factors,
        ...{ kind, keyId: 'key_1', keyLimits, sessionId: null, jti: '1', expiresMs: 1 },
      }
    case 'session':
      return { ...caller, ...factors, kind, sessionId: 'ses_1', expiresMs: 1 }
    case 'identity':
      return {
        ...caller,
        ...{ kind: 'workload', presented: 'identity', policyId: 'tru_1', issuer: '', targets: [] },
        ...{ boundTo: undefined, expiresMs: 1 },
      }
  }
}

function outcome(called: Parameters<typeof checkCredential>[0], caller: Principal, on: boolean) {
  try {
    checkCredential(called, caller, on)
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
    expect(outcome(called, callerOf(kind), on)).toBe(wanted)
  })

  it.each([
    ['key', query, 'taken'],
    ['key', stream, 'taken'],
    ['key', mutation, on ? 'jwt_required' : 'scope'],
    ['key', exchange, 'taken'],
    ['jwt', query, 'taken'],
    ['jwt', mutation, 'scope'],
  ] as const)('a %s that is read-only and calls %o is %s', (kind, called, wanted) => {
    expect(outcome(called, callerOf(kind, true), on)).toBe(wanted)
  })
})
