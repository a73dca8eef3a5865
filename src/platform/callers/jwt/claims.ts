/**
 * The claims of this service's JWTs (RFC 7519, section 4), and the constants that distinguish them from
 * others.
 */
import { z } from 'zod'
import { roleSchema } from '../principal.ts'

export const issuer = 'svc'
export const audience = 'svc-api'

/** Explicit typing rejects JWTs made for other purposes (RFC 8725, section 3.11). */
export const typ = 'svc+jwt'

export const lifetimeS = 8 * 60 * 60

/**
 * `key`, `sid` (OpenID Connect's name of a session) or `trust` is what it was minted with: an API key, a
 * session, or an identity token that this trust policy admitted, then with the `branch` of its ref where the
 * policy binds that. Times are in seconds.
 */
export const claimsSchema = z
  .object({
    sub: z.string(),
    tenant: z.string(),
    role: roleSchema,
    key: z.string().optional(),
    sid: z.string().optional(),
    trust: z.string().optional(),
    branch: z.string().optional(),
    jti: z.string(),
    iat: z.int(),
    exp: z.int(),
  })
  .refine(({ key, sid, trust }) => [key, sid, trust].filter((origin) => origin !== undefined).length === 1)
  .refine(({ iat, exp }) => exp - iat <= lifetimeS)

export type Claims = z.infer<typeof claimsSchema>
