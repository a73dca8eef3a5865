/** The credential a call needs: for a mutation none that is read-only, and a JWT where these are enforced. */
import { AppError } from '../../lib/errors.ts'
import { requireWritable } from './key-limits/limits.ts'
import { credentialKind, type Principal } from './principal.ts'
import { unauthorized } from './unauthorized.ts'

/** The parts of a procedure that matter here; `name` is such as `tokens.mint`. */
export type Called = { name: string; type: 'query' | 'mutation' | 'subscription' }

/** Exchanges a key, a session or an identity token for a JWT, so it can't require one. */
export const exchange = 'tokens.mint'

/**
 * A JWT that is minted with a read-only key is read-only, so the exchange takes that key, too.
 * @throws AppError `jwt_required`, `jwt_cannot_mint`, `scope` for a change with a read-only key;
 * `unauthorized` for an identity token elsewhere.
 */
export function checkCredential({ name, type }: Called, principal: Principal, jwtsEnforced: boolean): void {
  const kind = credentialKind(principal)
  if (name === exchange) {
    if (kind !== 'jwt') return
    throw new AppError('jwt_cannot_mint', "A JWT can't mint another: send the API key or the session itself.")
  }
  if (kind === 'identity') throw unauthorized()
  if (jwtsEnforced && type === 'mutation' && kind !== 'jwt') {
    throw new AppError(
      'jwt_required',
      'A JWT is required: exchange the API key or session for one at POST /v1/token, ' +
        'and send that as the Bearer token.',
    )
  }
  if (type === 'mutation') requireWritable(principal)
}
