/** From a bearer token to the principal, by a small cache in front of one query. */
import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { apiKeys } from '../db/schema/keys.ts'
import { members, teams } from '../db/schema/teams.ts'
import type { Store } from '../db/store.ts'
import { AppError } from '../errors.ts'
import { createFreshCache } from '../fresh-cache.ts'
import type { LastUsed } from './last-used.ts'
import type { Principal } from './principal.ts'
import { lowerRole } from './roles.ts'
import { hashToken, inspectToken } from './token.ts'

export type Principals = {
  /**
   * The principal of an `Authorization` header; at once where it is in the cache, since every request waits for it.
   * @throws AppError `unauthorized`, one message for every reason; `token_malformed` where a key's checksum fails.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>
  /** The same, but undefined where there is none; rejects only when the database is away. */
  find(authorization: string | undefined): Promise<Principal | undefined>
}

/** A fact is used for at most this long, so that a revocation is seen everywhere within a second. */
const maxAgeMs = 900
const maxEntries = 10_000

/** Larger than any credential: such a header is refused without looking at it. */
const maxHeaderLength = 8_192

/** Looks principals up in `store`, and drops them from its cache when their key changes. */
export function createPrincipals(store: Store, lastUsed: LastUsed, nowMs: () => number): Principals {
  const cache = createFreshCache({
    load: (tokenSha256) => findPrincipal(store, tokenSha256),
    maxAgeMs,
    maxEntries,
  })
  store.changes.subscribe({
    changed: (change) => {
      if (change.kind === 'key') cache.forget(change.id)
      if (change.kind === 'member') cache.forgetWhere((principal) => principal?.userId === change.id)
      if (change.kind === 'team') cache.forgetWhere((principal) => principal?.teamId === change.id)
    },
    missed: cache.forgetAll,
  })

  function authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const tokenSha256 = hashToken(bearerToken(authorization))
    const known = cache.peek(tokenSha256)
    return known ? admit(known.value) : cache.get(tokenSha256).then(admit)
  }

  function admit(principal: Principal | undefined): Principal {
    if (!principal) throw unauthorized()
    lastUsed.note(principal.keyId, nowMs())
    return principal
  }

  return {
    authenticate,
    async find(authorization) {
      try {
        return await authenticate(authorization)
      } catch (error) {
        if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined
        throw error
      }
    },
  }
}

/** The token of an `Authorization: Bearer` header (RFC 6750, section 2.1; the scheme's name in any case). */
function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization.length > maxHeaderLength) throw unauthorized()
  const [, token] = /^bearer +([^\s]+)$/i.exec(authorization) ?? []
  if (token === undefined) throw unauthorized()
  const kind = inspectToken(token)
  if (kind === 'mistyped') {
    throw new AppError(
      'token_malformed',
      "This API key's checksum doesn't fit: it was mistyped or cut off. Copy it again.",
    )
  }
  if (kind === 'foreign') throw unauthorized()
  return token
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'Send a valid API key as "Authorization: Bearer svc_…".')
}

const principalQuery = prepared((db) =>
  db
    .select({
      keyId: apiKeys.id,
      userId: apiKeys.userId,
      teamId: apiKeys.teamId,
      teamSlug: teams.slug,
      plan: teams.plan,
      prefix: apiKeys.prefix,
      keyRole: apiKeys.role,
      memberRole: members.role,
    })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .innerJoin(members, and(eq(members.teamId, apiKeys.teamId), eq(members.userId, apiKeys.userId)))
    .where(eq(apiKeys.tokenSha256, sql.placeholder('tokenSha256')))
    .prepare('find_principal'),
)

async function findPrincipal(store: Store, tokenSha256: string): Promise<Principal | undefined> {
  const [row] = await principalQuery(store.lookUps).execute({ tokenSha256 })
  if (!row) return undefined
  const { keyRole, memberRole, ...rest } = row
  return { kind: 'key', ...rest, role: lowerRole(keyRole, memberRole) }
}
