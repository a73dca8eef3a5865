import { decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import { createJwts } from '../../../../src/platform/callers/jwt/jwts.ts'
import { claimsOf } from '../../../support/enforcing-node.ts'

const secret = 'a secret of at least thirty-two bytes'
const nowMs = 1_790_000_000_500
const hourMs = 3_600_000
const grant = { sub: 'usr_1', tenant: 'team_1', role: 'member', key: 'key_1' } as const

async function taken(token: string, atMs: number, by = createJwts(secret)): Promise<boolean> {
  const jwts = await by
  return jwts.verify(token, atMs).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.reason === 'unauthorized') return false
      throw error
    },
  )
}

describe('a JWT', () => {
  it('has its user, team, role and key, and expires after 8 hours', async () => {
    const { token, expiresMs } = await (await createJwts(secret)).sign(grant, nowMs)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'svc+jwt' })
    expect(claimsOf(token)).toEqual({
      ...grant,
      iss: 'svc',
      aud: 'svc-api',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: 1_790_000_000,
      exp: 1_790_000_000 + 8 * 3_600,
    })
    expect(expiresMs).toBe(1_790_000_000_000 + 8 * hourMs)
  })

  it('is never the same twice', async () => {
    const jwts = await createJwts(secret)
    const [one, two] = await Promise.all([jwts.sign(grant, nowMs), jwts.sign(grant, nowMs)])
    expect(one.token).not.toBe(two.token)
  })
})

describe('the clock', () => {
  it.each([
    ['the moment it is signed', 0, true],
    ['just before its 8 hours are over', 8 * hourMs - 501, true],
    ['when they are over, to the millisecond: there is no leeway', 8 * hourMs - 500, false],
    ['later', 8 * hourMs + 60_000, false],
    ['on a node whose clock is 50 seconds behind', -50_000, true],
    ['on one that is an hour behind', -hourMs, false],
  ])('%s', async (_, afterMs, wanted) => {
    const { token } = await (await createJwts(secret)).sign(grant, nowMs)
    expect(await taken(token, nowMs + afterMs)).toBe(wanted)
  })
})

describe('a change of the secret', () => {
  const next = 'another secret of thirty-two bytes or more'

  it('invalidates every JWT, unless the previous secret is still accepted', async () => {
    const { token } = await (await createJwts(secret)).sign(grant, nowMs)
    expect(await taken(token, nowMs, createJwts(next))).toBe(false)
    expect(await taken(token, nowMs, createJwts(next, secret))).toBe(true)
  })

  it('signs with the new one', async () => {
    const { token } = await (await createJwts(next, secret)).sign(grant, nowMs)
    expect(await taken(token, nowMs, createJwts(next))).toBe(true)
    expect(await taken(token, nowMs, createJwts(secret))).toBe(false)
  })

  it('uses every byte, also beyond ASCII', async () => {
    const { token } = await (await createJwts('ü'.repeat(16))).sign(grant, nowMs)
    expect(await taken(token, nowMs, createJwts('ü'.repeat(16)))).toBe(true)
    expect(await taken(token, nowMs, createJwts(`${'ü'.repeat(15)}u.`))).toBe(false)
  })
})

it('with any one character changed is refused', async () => {
  const { token } = await (await createJwts(secret)).sign(grant, nowMs)
  const jwts = createJwts(secret)
  // The signature's last character has several spellings of the same value, only one of which is accepted.
  for (let at = 0; at < token.length - 1; at += 1) {
    const other = token[at] === 'x' ? 'y' : 'x'
    expect(await taken(token.slice(0, at) + other + token.slice(at + 1), nowMs, jwts), `at ${at}`).toBe(false)
  }
})
