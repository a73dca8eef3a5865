/**
 * Recognizes a credential by its format: an API key, a JWT or a session's token. An identity token comes in
 * the body of the one call that takes it.
 */
import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'
import { asSecret } from '../../lib/secret.ts'
import { sessionCookie } from './session-cookie.ts'
import { hashToken, inspectToken } from './token.ts'
import { unauthorized } from './unauthorized.ts'

export type Credential =
  | { kind: 'key'; tokenSha256: string }
  | { kind: 'jwt'; token: string }
  | { kind: 'session'; tokenSha256: string }
  | { kind: 'identity'; token: string; audience: string; team: string; project: string }

/** A job of a CI system, and the team and project, each by name or id, that its token is sent for. */
export type IdentityCredential = Extract<Credential, { kind: 'identity' }>

/** Keys by the header that they came in: to check and hash one takes longer than to look the key up. */
const knownKeys = new LRUCache<string, Credential>({ max: 1_000 })

/** Larger than any credential: longer headers are refused unparsed. */
const maxHeaderLength = 8_192

/**
 * Compact serialization (RFC 7515, section 7.1) with a signature of 32 bytes, in its one canonical spelling.
 */
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** A session's token, with or without the signature that better-auth appends in its cookie. */
const sessionPattern = /^([0-9A-Za-z]{32,64})(?:\.[\w+/=%-]+)?$/

/**
 * The credential of a request. `Authorization`, if sent, takes precedence: identities are never merged.
 * @throws AppError `unauthorized`, `token_malformed`.
 */
export function readCredential(
  { authorization, cookie }: { authorization?: string | undefined; cookie?: string | undefined },
  apiUrl: string,
): { credential: Credential; byCookie: boolean } {
  if (authorization !== undefined) return { credential: bearerCredential(authorization), byCookie: false }
  const value = cookie === undefined ? undefined : sessionCookie(cookie, apiUrl)
  const credential = value === undefined ? undefined : sessionCredential(value)
  if (!credential) throw unauthorized()
  return { credential, byCookie: true }
}

/**
 * The credential of an `Authorization: Bearer` header (RFC 6750, section 2.1; the scheme's name in any case).
 * @throws AppError `unauthorized`, `token_malformed`.
 */
export function bearerCredential(authorization: string): Credential {
  const known = knownKeys.get(authorization)
  if (known) return known
  if (authorization.length > maxHeaderLength) throw unauthorized()
  const [, token] = /^bearer +([^\s]+)$/i.exec(authorization) ?? []
  if (token === undefined) throw unauthorized()
  const shape = inspectToken(token)
  if (shape === 'valid')
    return rememberKey(authorization, { kind: 'key', tokenSha256: hashToken(asSecret(token)) })
  if (shape === 'mistyped') {
    throw new AppError(
      'token_malformed',
      'The checksum of this API key is wrong: it was mistyped or cut off. Copy it again.',
    )
  }
  if (jwtPattern.test(token)) return { kind: 'jwt', token }
  const session = sessionCredential(token)
  if (!session) throw unauthorized()
  return session
}

function rememberKey(authorization: string, credential: Credential): Credential {
  knownKeys.set(authorization, credential)
  return credential
}

function sessionCredential(value: string): Credential | undefined {
  const [, token] = sessionPattern.exec(value) ?? []
  return token === undefined ? undefined : { kind: 'session', tokenSha256: hashToken(asSecret(token)) }
}
