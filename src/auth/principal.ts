/** Who is calling, as the rest of the program sees it. */
import { z } from 'zod'
import type { Plan } from '../limits/plan.ts'

/** What a role may do is in roles.ts; `owner` may do all that `member` may. */
export const roleSchema = z.enum(['owner', 'member'])

export type Role = z.infer<typeof roleSchema>

/** What every caller is, whatever its credential: a person acting in one team. `role` is what it may do there now. */
type Caller = { userId: string; teamId: string; teamSlug: string; plan: Plan; role: Role }

/** An API key; `prefix` is what may be shown of it. */
export type KeyPrincipal = Caller & { kind: 'key'; keyId: string; prefix: string }

/** A JWT, with the key or the session that it was minted with. */
export type JwtPrincipal = Caller & {
  kind: 'jwt'
  jti: string
  keyId: string | null
  sessionId: string | null
  expiresMs: number
}

/** A signed-in person. */
type SessionPrincipal = Caller & { kind: 'session'; sessionId: string; expiresMs: number }

/** A caller whose credential was checked. */
export type Principal = KeyPrincipal | JwtPrincipal | SessionPrincipal
