/** What JWTs say. */
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
