/** Which kind of credential a call needs: where JWTs are enforced, whatever changes something needs one. */
import { AppError } from '../errors.ts'
import type { Principal } from './principal.ts'

/** A procedure, as far as it matters here; `name` is such as `tokens.mint`. */
export type Called = { name: string; type: 'query' | 'mutation' | 'subscription' }

/** Exchanges a key or a session for a JWT, and so can't need one. */
const exchange = 'tokens.mint'

/** @throws AppError `jwt_required`, `jwt_cannot_mint`. */
export function checkCredentialKind(
  { name, type }: Called,
  kind: Principal['kind'],
  jwtsEnforced: boolean,
): void {
  if (name === exchange) {
    if (kind !== 'jwt') return
    throw new AppError('jwt_cannot_mint', 'A JWT mints no other: send the API key or the session itself.')
  }
  if (jwtsEnforced && type !== 'query' && kind !== 'jwt') {
    throw new AppError(
      'jwt_required',
      'This needs a JWT: exchange the API key or session for one at POST /v1/token, and send that as the Bearer token.',
    )
  }
}
