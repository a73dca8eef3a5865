/** Resolves a credential to the principal, with current permissions. */
import { AppError } from '../../lib/errors.ts'
import type { CacheStats, FreshCache } from '../../stores/cache/fresh-cache.ts'
import type { Store } from '../../stores/db/store.ts'
import type { LookUps } from '../limits/limit-look-ups.ts'
import { type CallerCaches, createCallerCaches } from './caller-caches.ts'
import { bearerCredential, type Credential, type IdentityCredential } from './credential.ts'
import type { Jwts } from './jwt/jwts.ts'
import { hasEnded } from './key-limits/limits.ts'
import type { LastUses } from './last-used.ts'
import type { KnownJwt } from './look-ups/find-jwt.ts'
import type { KnownSession } from './look-ups/find-session.ts'
import type { KeyPrincipal, Principal, WorkloadPrincipal } from './principal.ts'
import { lacksFactor } from './require-factor.ts'
import { selectSessionTeam } from './select-session-team.ts'
import { unauthorized } from './unauthorized.ts'

export type Principals = {
  /**
   * The principal of a credential; synchronous if cached, since every request waits for it. `team` is the
   * slug or id of the team that a session selects: keys and JWTs have their own. Lookups of unknown
   * credentials are rate limited by `address`.
   * @throws AppError `unauthorized`, one message for every reason, but for identity tokens; `team_not_found`,
   * `rate_limited`, `not_trusted`, `issuer_unavailable`.
   */
  authenticate(credential: Credential, team?: string, address?: string): Principal | Promise<Principal>
  /**
   * The principal of an `Authorization` header with a team's own credential, a key or a JWT that one of its
   * people or keys minted; undefined without one. Rejects only when the database is unavailable, or when
   * `address` is rate limited for invalid ones.
   */
  find(authorization: string, address: string): Promise<Principal | undefined>
  /** Sizes of the caches, by kind of credential. */
  stats: Record<keyof CallerCaches, () => CacheStats>
}

/**
 * The caller that an identity token stands for.
 * @throws AppError `unauthorized`, `not_trusted`, `issuer_unavailable`.
 */
export type Identify = (credential: IdentityCredential) => Promise<WorkloadPrincipal>

type Deps = {
  store: Store
  /** When keys were last used, and when sessions were, to the minute. */
  lastUsed: LastUses
  /** Undefined on a node without JWTs. */
  jwts: Jwts | undefined
  identify: Identify
  lookUps: LookUps
  nowMs: () => number
}

/** Pages of the dashboard make many calls: to the minute is enough, and saves writing a row each second. */
const sessionUseMs = 60_000

/** Looks principals up in `store`; cached ones are evicted when they change. */
export function createPrincipals({ store, lastUsed, jwts, identify, lookUps, nowMs }: Deps): Principals {
  const caches = createCallerCaches(store, jwts, nowMs)

  function authenticate(
    credential: Credential,
    team?: string,
    address?: string,
  ): Principal | Promise<Principal> {
    switch (credential.kind) {
      case 'key':
        return look(caches.keys, credential.tokenSha256, address, admitKey)
      case 'jwt':
        return look(caches.jwts, credential.token, address, admitJwt)
      case 'session':
        return look(caches.sessions, credential.tokenSha256, address, (session) =>
          admitSession(session, team),
        )
      case 'identity':
        return identifyAnew(credential, address)
    }
  }

  /** Each time anew: an identity token is exchanged once or twice. */
  function identifyAnew(credential: IdentityCredential, address: string | undefined): Promise<Principal> {
    const find = () => identify(credential)
    return address === undefined ? find() : lookUps.admit(address, find)
  }

  function look<V>(
    cache: FreshCache<V>,
    key: string,
    address: string | undefined,
    admit: (value: V) => Principal,
  ): Principal | Promise<Principal> {
    const known = cache.peek(key)
    if (known) return admit(known.value)
    const get = () => cache.get(key)
    const isStranger = address !== undefined && cache.last(key)?.value === undefined
    return (isStranger ? lookUps.admit(address, get) : get()).then(admit)
  }

  function admitKey(principal: KeyPrincipal | undefined): Principal {
    const now = nowMs()
    if (!principal || hasEnded(principal.keyLimits, now)) throw unauthorized()
    lastUsed.keys.note(principal.keyId, now)
    return principal
  }

  function admitJwt(known: KnownJwt | undefined): Principal {
    const now = nowMs()
    if (!known || known.endsMs <= now) throw unauthorized()
    const { principal } = known
    if (principal.kind === 'workload') return principal
    if (principal.keyId !== null) lastUsed.keys.note(principal.keyId, now)
    if (principal.sessionId !== null) noteSession(principal.sessionId, known.sessionUsedMs, now)
    return principal
  }

  function admitSession(session: KnownSession | undefined, team: string | undefined): Principal {
    if (!session || session.expiresMs <= nowMs()) throw unauthorized()
    const { sessionId, userId, expiresMs, memberships, provenBy } = session
    const hasFactor = provenBy !== 'password'
    noteSession(sessionId, session.usedMs, nowMs())
    // Where JWTs are enforced, a session selects the team when it mints one.
    const { personal: _, ...membership } = selectSessionTeam(memberships, jwts ? undefined : team)
    return { kind: 'session', sessionId, expiresMs, userId, hasFactor, ...membership }
  }

  function noteSession(id: string, usedMs: number, now: number): void {
    if (now - usedMs >= sessionUseMs) lastUsed.sessions.note(id, now)
  }

  return {
    authenticate,
    async find(authorization, address) {
      try {
        const credential = bearerCredential(authorization)
        if (credential.kind === 'session') return undefined
        const principal = await authenticate(credential, undefined, address)
        const isAdmitted = principal.kind !== 'workload' && !lacksFactor(principal)
        return isAdmitted ? principal : undefined
      } catch (error) {
        if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined
        throw error
      }
    },
    stats: { keys: caches.keys.stats, jwts: caches.jwts.stats, sessions: caches.sessions.stats },
  }
}
