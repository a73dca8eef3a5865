/** Caches of callers, one per kind of credential, invalidated by changes. */

import { createFreshCache, type FreshCache } from '../../stores/cache/fresh-cache.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Jwts } from './jwt/jwts.ts'
import { findJwt, type KnownJwt } from './look-ups/find-jwt.ts'
import { findKey } from './look-ups/find-key.ts'
import { findSession, type KnownSession } from './look-ups/find-session.ts'
import type { KeyPrincipal } from './principal.ts'

/** Keys and sessions by their token's SHA-256, JWTs by themselves; undefined for unknown or revoked ones. */
export type CallerCaches = {
  keys: FreshCache<KeyPrincipal | undefined>
  jwts: FreshCache<KnownJwt | undefined>
  sessions: FreshCache<KnownSession | undefined>
}

/** The longest use of a cached fact, so that a revocation takes effect everywhere within a second. */
const maxAgeMs = 900
const maxEntries = 10_000

/** The maximum concurrent lookups of uncached callers; cached ones are always refreshed. */
const maxLoads = 500

/** Caches over one query each. A forged JWT is refused before it is cached. */
export function createCallerCaches(store: Store, jwts: Jwts | undefined, nowMs: () => number): CallerCaches {
  const caches: CallerCaches = {
    keys: cacheOf((tokenSha256) => findKey(store, tokenSha256)),
    jwts: cacheOf(async (token) => jwts && findJwt(store, await jwts.verify(token, nowMs()))),
    sessions: cacheOf((tokenSha256) => findSession(store, tokenSha256)),
  }
  store.changes.subscribe({
    changed: ({ kind, id }) => {
      if (kind === 'key') caches.keys.forget(id)
      if (kind === 'session') caches.sessions.forget(id)
      if (kind === 'key' || kind === 'session') {
        caches.jwts.forgetWhere((known) => known?.mintedWithSha256 === id)
      }
      if (kind === 'member') forgetCallers(caches, ({ userId }) => userId === id)
      if (kind === 'team') forgetCallers(caches, ({ teamIds }) => teamIds.includes(id))
    },
    missed: () => {
      for (const cache of Object.values(caches)) cache.forgetAll()
    },
  })
  return caches
}

function cacheOf<V>(load: (key: string) => Promise<V>): FreshCache<V> {
  return createFreshCache({ load, maxAgeMs, maxEntries, maxLoads })
}

type Caller = { userId: string; teamIds: string[] }

/** Evicts the callers for which `test` holds, and all negative entries. */
function forgetCallers({ keys, jwts, sessions }: CallerCaches, test: (caller: Caller) => boolean): void {
  const ofTeam = ({ userId, teamId }: { userId: string; teamId: string }) =>
    test({ userId, teamIds: [teamId] })
  keys.forgetWhere((principal) => !principal || ofTeam(principal))
  jwts.forgetWhere((known) => !known || ofTeam(known.principal))
  sessions.forgetWhere((session) => {
    if (!session) return true
    return test({ userId: session.userId, teamIds: session.memberships.map(({ teamId }) => teamId) })
  })
}
