/** The kind of credential a call needs: if JWTs are enforced, every mutation needs one. */
import { AppError } from '../../lib/errors.ts'
import type { Principal } from './principal.ts'

/** The parts of a procedure that matter here; `name` is such as `tokens.mint`. */
export type Called = { name: string; type: 'query' | 'mutation' | 'subscription' }

/** Exchanges a key or a session for a JWT, so it can't require one. */
const exchange = 'tokens.mint'

/** @throws AppError `jwt_required`, `jwt_cannot_mint`. */
export function checkCredentialKind(
  { name, type }: Called,
  kind: Principal['kind'],
  jwtsEnforced: boolean,
): void {
  if (name === exchange) {
    if (kind !== 'jwt') return
    throw new AppError('jwt_cannot_mint', "A JWT can't mint another: send the API key or the session itself.")
  }
  if (jwtsEnforced && type === 'mutation' && kind !== 'jwt') {
    throw new AppError(
      'jwt_required',
      'A JWT is required: exchange the API key or session for one at POST /v1/token, ' +
        'and send that as the Bearer token.',
    )
  }
}
