/** Exchanges a key, a session or an identity token for a JWT. */

import { eq } from 'drizzle-orm'
import { AppError, invalidField } from '../../lib/errors.ts'
import { trustPolicies } from '../../stores/db/schema/trust-policies.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Mint } from './credential-input.ts'
import type { TokenRecord } from './credential-output.ts'
import type { Grant, Jwts } from './jwt/jwts.ts'
import { keyLimitsOf } from './key-limits/limits.ts'
import { membershipsOf } from './look-ups/find-session.ts'
import type { Principal, WorkloadPrincipal } from './principal.ts'
import { selectSessionTeam } from './select-session-team.ts'

type Deps = { store: Store; jwts: Jwts | undefined; nowMs: () => number }

/**
 * Mints a JWT with the caller's permissions, which ends no later than a key does: for the key's own team, or
 * for `team` (a slug or id) of a session's user, by default the current one. An identity token's caller is of
 * the team that was named with it already.
 * @throws AppError `jwt_not_configured`, `invalid_input` for a team from a key and for an identity token
 * beside another credential, `team_not_found`.
 */
export async function mintToken(
  { store, jwts, nowMs }: Deps,
  principal: Principal,
  { team, oidc_token: identityToken }: Mint,
): Promise<TokenRecord> {
  if (!jwts) throw jwtNotConfigured()
  if (principal.kind === 'workload') return mintFor({ store, jwts }, principal, nowMs())
  if (identityToken !== undefined) {
    throw invalidField('oidc_token', 'stands for itself: send it without an API key, JWT or session')
  }
  if (team !== undefined && principal.kind === 'key') {
    throw invalidField('team', 'is for sessions only: an API key mints for its own team')
  }
  const { teamId, teamSlug, role } =
    team === undefined ? principal : selectSessionTeam(await membershipsOf(store, principal.userId), team)
  const grant = { sub: principal.userId, tenant: teamId, role, ...origin(principal) }
  const endMs = keyLimitsOf(principal)?.endsMs ?? undefined
  const { token, expiresMs } = await jwts.sign(grant, nowMs(), endMs)
  return { token, token_type: 'Bearer', team: teamSlug, role, expires_ms: expiresMs }
}

/** The refusal of every exchange on a node without JWTs. */
export function jwtNotConfigured(): AppError {
  return new AppError(
    'jwt_not_configured',
    'This server has no SVC_JWT_SECRET, so it issues no JWT: send the API key itself.',
  )
}

/** It ends when the identity token's time is over, however often that is exchanged. */
async function mintFor(
  { store, jwts }: { store: Store; jwts: Jwts },
  principal: WorkloadPrincipal,
  nowMs: number,
): Promise<TokenRecord> {
  const { userId, teamId, teamSlug, role, policyId, boundTo: branch } = principal
  const grant = { sub: userId, tenant: teamId, role, trust: policyId, ...(branch && { branch }) }
  await store.db.update(trustPolicies).set({ lastUsedMs: nowMs }).where(eq(trustPolicies.id, policyId))
  const { token, expiresMs } = await jwts.sign(grant, nowMs, principal.expiresMs)
  return { token, token_type: 'Bearer', team: teamSlug, role, expires_ms: expiresMs }
}

/** The claim that ties a JWT to the credential that minted it, so that they end together. */
function origin(principal: Principal): Pick<Grant, 'key' | 'sid'> {
  if (principal.kind === 'key') return { key: principal.keyId }
  if (principal.kind === 'session') return { sid: principal.sessionId }
  throw new Error('A JWT was let through to mint another.')
}
