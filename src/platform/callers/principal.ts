/** The authenticated caller. */
import { z } from 'zod'
import type { Plan } from '../../lib/plan.ts'
import type { Forge } from '../../stores/db/schema/project-repositories.ts'
import type { trustPolicies } from '../../stores/db/schema/trust-policies.ts'

/** The permissions of roles are in roles.ts; `owner` includes `member`. */
export const roleSchema = z.enum(['owner', 'member'])

export type Role = z.infer<typeof roleSchema>

/**
 * Common to all callers: a user acting in one team. `role` is the current role there, `projects` the ids of
 * those that the user, or the key, is limited to at present, null without a limit.
 */
type Caller = {
  userId: string
  teamId: string
  teamSlug: string
  plan: Plan
  role: Role
  projects: readonly string[] | null
}

/** The limits of an API key's own, beside its role. */
export type KeyLimits = {
  /** When it ends by itself, in Unix milliseconds; null for never. */
  endsMs: number | null
  /** Whether it sees only some projects of its team. */
  isScoped: boolean
  readOnly: boolean
}

/** An API key; `prefix` is the part that may be displayed. */
export type KeyPrincipal = Caller & { kind: 'key'; keyId: string; prefix: string; keyLimits: KeyLimits }

/** The factor that a team may require of a session, and of a JWT that was minted with one. */
type Factors = {
  /** Whether the person showed a second factor or signed in at the provider; true without a session. */
  hasFactor: boolean
  /** Whether the team requires that. */
  factorRequired: boolean
}

/** A JWT, with the key or the session that minted it. */
export type JwtPrincipal = Caller &
  Factors & {
    kind: 'jwt'
    jti: string
    keyId: string | null
    /** Those of the key; undefined without one. */
    keyLimits: KeyLimits | undefined
    sessionId: string | null
    expiresMs: number
  }

/** A signed-in user. */
type SessionPrincipal = Caller & Factors & { kind: 'session'; sessionId: string; expiresMs: number }

/**
 * A job of a CI system, which proved by an identity token that a trust policy of one project admits it: with
 * the token itself, which may do nothing but mint, or with a JWT that was minted so. It acts as who made the
 * policy, on that project alone.
 */
export type WorkloadPrincipal = Caller & {
  kind: 'workload'
  presented: 'identity' | 'jwt'
  policyId: string
  /** The address of who issued the identity token. */
  issuer: string
  /** The targets that it may deploy to. */
  targets: (typeof trustPolicies.$inferSelect)['targets']
  /** The only branch that its deployments may name, null for none; undefined where the policy binds none. */
  boundTo: string | null | undefined
  expiresMs: number
}

/**
 * A deploy hook, which acts as its maker on its own project alone. It is no caller: no procedure takes it, so
 * that its secret stands for nothing but the deployments that it makes.
 */
export type HookPrincipal = Pick<Caller, 'userId' | 'teamId' | 'projects'> & {
  kind: 'hook'
  hookName: string
}

/** A repository at a forge that a project is connected to: it acts as who connected it, on that project. */
export type ForgePrincipal = Pick<Caller, 'userId' | 'teamId' | 'projects'> & { kind: 'forge'; forge: Forge }

/** An authenticated caller. */
export type Principal = KeyPrincipal | JwtPrincipal | SessionPrincipal | WorkloadPrincipal

/** A kind of credential that callers send: an API key, a JWT, a session's token, or an identity token. */
export type CredentialKind = 'key' | 'jwt' | 'session' | 'identity'

/** The kind of the credential that this caller has sent. */
export function credentialKind(principal: Principal): CredentialKind {
  return principal.kind === 'workload' ? principal.presented : principal.kind
}
