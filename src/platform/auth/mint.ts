/** Exchanges a key or a session for a JWT. */

import { AppError, invalidField } from '../../lib/errors.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Mint } from './input.ts'
import type { Grant, Jwts } from './jwt/jwts.ts'
import { membershipsOf } from './look-ups/find-session.ts'
import type { TokenRecord } from './output.ts'
import type { Principal } from './principal.ts'
import { selectSessionTeam } from './select-session-team.ts'

type Deps = { store: Store; jwts: Jwts | undefined; nowMs: () => number }

/**
 * Mints a JWT with the caller's permissions: for the key's own team, or for `team` (a slug or id) of a
 * session's user, by default the current one.
 * @throws AppError `jwt_not_configured`, `invalid_input` for a team from a key, `team_not_found`.
 */
export async function mintToken(
  { store, jwts, nowMs }: Deps,
  principal: Principal,
  { team }: Mint,
): Promise<TokenRecord> {
  if (!jwts) {
    throw new AppError(
      'jwt_not_configured',
      'This server has no SVC_JWT_SECRET and needs no JWT: send the API key itself.',
    )
  }
  if (team !== undefined && principal.kind === 'key') {
    throw invalidField('team', 'is for sessions only: an API key mints for its own team')
  }
  const { teamId, teamSlug, role } =
    team === undefined ? principal : selectSessionTeam(await membershipsOf(store, principal.userId), team)
  const grant = { sub: principal.userId, tenant: teamId, role, ...origin(principal) }
  const { token, expiresMs } = await jwts.sign(grant, nowMs())
  return { token, token_type: 'Bearer', team: teamSlug, role, expires_ms: expiresMs }
}

/** The claim that ties a JWT to the credential that minted it, so that they end together. */
function origin(principal: Principal): Pick<Grant, 'key' | 'sid'> {
  if (principal.kind === 'key') return { key: principal.keyId }
  if (principal.kind === 'session') return { sid: principal.sessionId }
  throw new Error('A JWT was let through to mint another.')
}
