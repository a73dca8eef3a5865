/** Signs and verifies JWTs: HS256 with the node's secret only. */
import { type CryptoKey, errors, jwtVerify, SignJWT } from 'jose'
import { unauthorized } from '../unauthorized.ts'

import { audience, type Claims, claimsSchema, issuer, lifetimeS, typ } from './claims.ts'

/** The claims to sign, without those that every JWT has. */
export type Grant = Omit<Claims, 'jti' | 'iat' | 'exp'>

export type Jwts = {
  /** A JWT that expires in 8 hours, or at `endMs` if that is earlier. */
  sign(grant: Grant, nowMs: number, endMs?: number): Promise<{ token: string; expiresMs: number }>
  /** The claims of a valid JWT. @throws AppError `unauthorized`. */
  verify(token: string, nowMs: number): Promise<Claims>
}

/** Tolerated clock skew of the signing node; it never extends a JWT's life. */
const leewayS = 60

/** Signs with `secret`, verifies with `previous`, too, after a rotation. Both are used as UTF-8. */
export async function createJwts(secret: string, previous?: string): Promise<Jwts> {
  const key = await importKey(secret)
  const keys = previous === undefined ? [key] : [key, await importKey(previous)]
  return {
    async sign(grant, nowMs, endMs = Number.POSITIVE_INFINITY) {
      const iat = Math.floor(nowMs / 1_000)
      const exp = Math.min(iat + lifetimeS, Math.floor(endMs / 1_000))
      const token = await new SignJWT({ ...grant, jti: crypto.randomUUID(), iat, exp })
        .setProtectedHeader({ alg: 'HS256', typ })
        .setIssuer(issuer)
        .setAudience(audience)
        .sign(key)
      return { token, expiresMs: exp * 1_000 }
    },
    async verify(token, nowMs) {
      for (const each of keys) {
        const claims = await verifyWith(each, token, nowMs)
        if (claims) return claims
      }
      throw unauthorized()
    },
  }
}

/** The claims; undefined unless the JWT is signed with this key, for this service, and currently valid. */
async function verifyWith(key: CryptoKey, token: string, nowMs: number): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      typ,
      issuer,
      audience,
      maxTokenAge: lifetimeS,
      clockTolerance: leewayS,
      currentDate: new Date(nowMs),
    })
    const { data } = claimsSchema.safeParse(payload)
    return data && data.exp * 1_000 > nowMs ? data : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Imported once: jose would import the bytes again for each token. */
function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['sign', 'verify'])
}
