/** Verifies identity tokens (OpenID Connect Core, section 2) of the issuers that the node trusts. */
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AppError } from '../../../lib/errors.ts'
import { identityRefused } from '../unauthorized.ts'
import { keySetAddress } from './discovery.ts'
import { leewayMs } from './lifetime.ts'

/** The identity that a token proves; `claims` are all of the token's. */
export type Identity = { issuer: string; issuedMs: number; claims: JWTPayload }

export type Identities = {
  /** The addresses of the issuers that are trusted. */
  issuers: readonly string[]
  /**
   * The identity of a valid token that was issued for this audience, the address of the API.
   * @throws AppError `unauthorized` that says what is wrong with the token, `issuer_unavailable`.
   */
  verify(token: string, audience: string, nowMs: number): Promise<Identity>
}

/** Signatures that the issuer alone can make: never an HMAC, whose key would be the public one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Longer than tokens of any known issuer. */
export const maxTokenLength = 16_384

/**
 * Keys are fetched with an issuer's first token, kept for ten minutes, and fetched again, `pauseMs`
 * after the last time at the earliest, for a token signed with a key that isn't among them.
 */
export function createIdentities(issuers: readonly string[], pauseMs = 30_000): Identities {
  const keySets = new Map<string, Promise<JWTVerifyGetKey>>()

  function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const found = keySets.get(issuer) ?? openKeys(issuer, pauseMs)
    keySets.set(issuer, found)
    // The next token tries again.
    found.catch(() => keySets.delete(issuer))
    return found
  }

  return {
    issuers,
    async verify(token, audience, nowMs) {
      const issuer = issuerOf(token)
      if (issuer === undefined || !issuers.includes(issuer)) throw untrusted(issuer, issuers)
      const keys = await keysOf(issuer)
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms,
          issuer,
          audience,
          clockTolerance: leewayMs / 1_000,
          requiredClaims: ['exp', 'iat'],
          currentDate: new Date(nowMs),
        })
        const { iat = 0 } = payload
        if (iat * 1_000 > nowMs + leewayMs) throw identityRefused('was issued in the future')
        return { issuer, issuedMs: iat * 1_000, claims: payload }
      } catch (error) {
        throw refusalOf(error, audience)
      }
    },
  }
}

async function openKeys(issuer: string, pauseMs: number): Promise<JWTVerifyGetKey> {
  const address = await keySetAddress(issuer)
  return createRemoteJWKSet(address, { timeoutDuration: 5_000, cooldownDuration: pauseMs })
}

/** The unverified issuer; undefined where the text is no JWT. */
function issuerOf(token: string): string | undefined {
  if (token.length > maxTokenLength) return undefined
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

function untrusted(issuer: string | undefined, issuers: readonly string[]): AppError {
  return issuer === undefined
    ? identityRefused('is no JWT with an issuer')
    : identityRefused(`is not of an issuer that this server trusts: ${issuers.join(', ')}`)
}

function refusalOf(error: unknown, audience: string): unknown {
  if (error instanceof errors.JWTExpired) return identityRefused('has expired: request another one')
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'aud'
      ? identityRefused(`is for another audience: request one for ${audience}`)
      : identityRefused(`has no valid claim ${error.claim}`)
  }
  if (error instanceof errors.JWKSTimeout || isAway(error)) {
    const message = "The keys of the identity token's issuer can't be fetched now. Try again."
    return new AppError('issuer_unavailable', message, { cause: error })
  }
  return error instanceof errors.JOSEError ? identityRefused('is not signed by its issuer') : error
}

/** Whether no key set arrived: jose has no class of its own for other statuses than 200 and for bad JSON. */
function isAway(error: unknown): boolean {
  return (
    error instanceof TypeError || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  )
}
