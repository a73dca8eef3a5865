/** The claims of JWTs. */
import { fieldsOf } from './call-scope.ts'

/** The claims of a JWT, unverified; none where it isn't one. */
export function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ''] = token.split('.')
  try {
    return fieldsOf(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return {}
  }
}

/** Whether the JWT allows more than the one that was `used`, since its user has become an owner. */
export function isPromoted(jwt: string | undefined, used: string | undefined): boolean {
  return isOf('owner', jwt) && isOf('member', used)
}

/** Whether it is a JWT with this role. */
export function isOf(role: 'owner' | 'member', jwt: string | undefined): boolean {
  return jwt !== undefined && claimsOf(jwt).role === role
}
