import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { asSecret } from '../../../src/lib/secret.ts'
import { bearerCredential, readCredential } from '../../../src/platform/callers/credential.ts'
import { hashToken, newToken } from '../../../src/platform/callers/token.ts'

const apiUrl = 'http://localhost:3000'
const key = newToken()
const jwt = `eyJhbGciOiJIUzI1NiJ9.e30.${'a'.repeat(42)}A`
const session = 'a1B2c3D4'.repeat(4)

const cookie = (value: string) => `svc.session_token=${value}`

function reasonOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error.reason
    throw error
  }
  return undefined
}

describe('the Bearer token', () => {
  it.each([
    ['an API key', key, { kind: 'key', tokenSha256: hashToken(key) }],
    ['a JWT', jwt, { kind: 'jwt', token: jwt }],
    ['a session', session, { kind: 'session', tokenSha256: hashToken(asSecret(session)) }],
    [
      'a session with its signature',
      `${session}.a+b/c=`,
      { kind: 'session', tokenSha256: hashToken(asSecret(session)) },
    ],
    [
      'a session with its signature, escaped',
      `${session}.a%2Bb%2Fc%3D`,
      { kind: 'session', tokenSha256: hashToken(asSecret(session)) },
    ],
  ])('is %s by its shape', (_, token, credential) => {
    expect(bearerCredential(`Bearer ${token}`)).toEqual(credential)
  })

  it.each([
    ['two parts of a JWT', 'eyJhbGciOiJIUzI1NiJ9.e30'],
    ['a JWT without a signature', 'eyJhbGciOiJub25lIn0.e30.'],
    ['a JWT with a longer signature, as of HS512', `eyJhbGciOiJIUzUxMiJ9.e30.${'a'.repeat(86)}`],
    ['a signature in its other spelling', `eyJhbGciOiJIUzI1NiJ9.e30.${'a'.repeat(42)}B`],
    ['a JWT of 10 kB', `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(10_000)}.${'a'.repeat(42)}A`],
    ['a fourth part', `${jwt}.${jwt}`],
    ['a short word', 'session'],
    ['a session with a trailing space', `${session}. `],
    ['a session with an extra part', `${session}.a.b`],
  ])('is not a credential: %s', (_, token) => {
    expect(reasonOf(() => bearerCredential(`Bearer ${token}`))).toBe('unauthorized')
  })
})

describe('the cookie', () => {
  const read = (field: string, url = apiUrl) => readCredential({ cookie: field }, url)
  const wanted = {
    credential: { kind: 'session', tokenSha256: hashToken(asSecret(session)) },
    byCookie: true,
  }

  it.each([
    ['alone', cookie(`${session}.a%2Bb%3D`)],
    ['among others', `theme=dark; ${cookie(`${session}.a%2Bb%3D`)}; better-auth.session_data=x`],
    ['without blanks', `a=b;${cookie(`${session}.a%2Bb%3D`)};c=d`],
    ['the same cookie twice', `${cookie(session)}; ${cookie(session)}`],
  ])('is parsed %s', (_, field) => {
    expect(read(field)).toEqual(wanted)
  })

  it('is accepted with its Secure name only, if the API has TLS', () => {
    expect(read(`__Secure-${cookie(session)}`, 'https://api.example.com')).toEqual(wanted)
    expect(reasonOf(() => read(cookie(session), 'https://api.example.com'))).toBe('unauthorized')
    expect(reasonOf(() => read(`__Secure-${cookie(session)}`))).toBe('unauthorized')
  })

  it.each([
    ['none', ''],
    ['only others', 'theme=dark'],
    ['one whose name only has it as a suffix', `x${cookie(session)}`],
    ['two of different users', `${cookie(session)}; ${cookie(session.toUpperCase())}`],
    ['one that is not percent-encoded', cookie(`${session}.%`)],
    ['an API key in it', cookie(key)],
    ['a JWT in it', cookie(jwt)],
  ])('is not a credential: %s', (_, field) => {
    expect(reasonOf(() => read(field))).toBe('unauthorized')
  })
})

describe('Authorization with a cookie', () => {
  it('takes precedence', () => {
    const headers = { authorization: `Bearer ${key}`, cookie: cookie(session) }
    expect(readCredential(headers, apiUrl)).toMatchObject({ credential: { kind: 'key' }, byCookie: false })
  })

  it.each(['', 'Bearer', 'Bearer nobody', 'Basic YTpi'])(
    'takes precedence if it is %j, which is no credential',
    (authorization) => {
      expect(reasonOf(() => readCredential({ authorization, cookie: cookie(session) }, apiUrl))).toBe(
        'unauthorized',
      )
    },
  )
})
