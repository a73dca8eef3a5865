/** The claims of an identity token, for whoever writes a policy that matches them. */
import { isRecord } from '../../../lib/is-record.ts'

/** Claims of one token alone, which no policy can match, and those that may be personal. */
const leftOut = new Set(['aud', 'exp', 'iat', 'jti', 'nbf', 'user_email', 'email', 'user_identities'])

const maxLength = 300

/**
 * Each claim that a policy can match, as `name: value`, by name; none where the token can't be read. The
 * issuer comes first. The signature isn't checked.
 */
export function matchableClaims(token: string): string[] {
  const { iss, ...others } = claimsOf(token)
  return [['iss', iss] as const, ...Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1))].flatMap(
    ([name, value]) => (isMatchable(name, value) ? [`${name}: ${String(value).slice(0, maxLength)}`] : []),
  )
}

function isMatchable(name: string, value: unknown): boolean {
  return !leftOut.has(name) && value !== '' && ['string', 'number', 'boolean'].includes(typeof value)
}

function claimsOf(token: string): Record<string, unknown> {
  try {
    const [, payload = ''] = token.split('.')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return isRecord(claims) ? claims : {}
  } catch {
    return {}
  }
}
