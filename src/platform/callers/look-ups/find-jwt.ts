/** The current permissions of a JWT: at most those of its user and of the credential that minted it. */
import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../../../stores/db/prepared.ts'
import { apiKeys } from '../../../stores/db/schema/keys.ts'
import { sessions } from '../../../stores/db/schema/sessions.ts'
import { members, teams } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Claims } from '../jwt/claims.ts'
import type { JwtPrincipal, WorkloadPrincipal } from '../principal.ts'
import { lowerRole } from '../roles.ts'
import { narrowed } from '../scope.ts'
import { findWorkload } from './find-workload.ts'
import { keyLimitedTo, limitedTo } from './limited-to.ts'

/** A JWT's caller with the hash of the key or session that minted it, if one did, and its expiry. */
export type KnownJwt = {
  principal: JwtPrincipal | WorkloadPrincipal
  mintedWithSha256: string | undefined
  endsMs: number
  /** When the session was last used, to the minute; 0 without one. */
  sessionUsedMs: number
}

const factsQuery = prepared((db) =>
  db
    .select({
      teamSlug: teams.slug,
      plan: teams.plan,
      factorRequired: teams.secondFactorRequired,
      memberRole: members.role,
      memberProjects: limitedTo,
      keyRole: apiKeys.role,
      keySha256: apiKeys.tokenSha256,
      keyProjects: keyLimitedTo,
      readOnly: apiKeys.readOnly,
      keyEndsMs: apiKeys.expiresMs,
      sessionSha256: sessions.tokenSha256,
      sessionEndsMs: sessions.expiresMs,
      sessionUsedMs: sessions.updatedMs,
      provenBy: sessions.provenBy,
    })
    .from(members)
    .innerJoin(teams, eq(teams.id, members.teamId))
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.id, sql.placeholder('keyId')),
        eq(apiKeys.teamId, members.teamId),
        eq(apiKeys.userId, members.userId),
      ),
    )
    .leftJoin(
      sessions,
      and(eq(sessions.id, sql.placeholder('sessionId')), eq(sessions.userId, members.userId)),
    )
    .where(and(eq(members.teamId, sql.placeholder('teamId')), eq(members.userId, sql.placeholder('userId'))))
    .prepare('find_jwt'),
)

/**
 * The caller of a JWT with these claims; undefined if its user has left the team, its key or trust policy was
 * revoked or its session ended.
 */
export async function findJwt(store: Store, claims: Claims): Promise<KnownJwt | undefined> {
  if (claims.trust !== undefined) {
    const principal = await findWorkload(store, claims, claims.trust)
    if (!principal) return undefined
    return { principal, mintedWithSha256: undefined, endsMs: principal.expiresMs, sessionUsedMs: 0 }
  }
  const { sub: userId, tenant: teamId, jti, key: keyId = null, sid: sessionId = null } = claims
  const [row] = await factsQuery(store.lookUps).execute({ userId, teamId, keyId, sessionId })
  const mintedWithSha256 = row?.keySha256 ?? row?.sessionSha256
  if (!row || !mintedWithSha256) return undefined
  const { teamSlug, plan, memberRole, keyRole, keyProjects, keyEndsMs, sessionEndsMs, factorRequired } = row
  const hasFactor = row.provenBy !== 'password'
  const role = lowerRole(lowerRole(claims.role, memberRole), keyRole ?? memberRole)
  const expiresMs = claims.exp * 1_000
  return {
    principal: {
      kind: 'jwt',
      userId,
      teamId,
      teamSlug,
      plan,
      role,
      projects: narrowed(row.memberProjects, keyProjects),
      jti,
      keyId,
      keyLimits:
        row.readOnly === null
          ? undefined
          : { endsMs: keyEndsMs, isScoped: keyProjects !== null, readOnly: row.readOnly },
      sessionId,
      expiresMs,
      hasFactor,
      factorRequired,
    },
    mintedWithSha256,
    endsMs: Math.min(expiresMs, sessionEndsMs ?? expiresMs, keyEndsMs ?? expiresMs),
    sessionUsedMs: row.sessionUsedMs ?? 0,
  }
}
