/** The kind of credential a call needs: if JWTs are enforced, every mutation needs one. */
import { AppError } from '../../lib/errors.ts'
import type { CredentialKind } from './principal.ts'
import { unauthorized } from './unauthorized.ts'

/** The parts of a procedure that matter here; `name` is such as `tokens.mint`. */
export type Called = { name: string; type: 'query' | 'mutation' | 'subscription' }

/** Exchanges a key, a session or an identity token for a JWT, so it can't require one. */
export const exchange = 'tokens.mint'

/** @throws AppError `jwt_required`, `jwt_cannot_mint`; `unauthorized` for an identity token elsewhere. */
export function checkCredentialKind(
  { name, type }: Called,
  kind: CredentialKind,
  jwtsEnforced: boolean,
): void {
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
}
