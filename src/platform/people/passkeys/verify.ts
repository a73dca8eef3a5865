/** Verifies what a browser says about a passkey (WebAuthn, sections 7.1 and 7.2). */
import { z } from 'zod'
import type { Assertion, Attestation } from './credential.ts'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256 and RS256, which is what authenticators have, the preferred first (RFC 9053; RFC 8812). */
export const algorithms = [-8, -7, -257]

/** Public key and credential id are base64url. */
export type Credential = { credentialId: string; publicKey: string; counter: number }

/** Who expects it, and the challenge that was given out. */
type Expected = { party: RelyingParty; challenge: string }

const clientDataSchema = z.object({ challenge: z.string() })

/** The challenge that it is an answer to; undefined if it can't be read. Nothing is verified by that. */
export function challengeIn({ response }: Assertion | Attestation): string | undefined {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    return clientDataSchema.parse(JSON.parse(text)).challenge
  } catch {
    return undefined
  }
}

/** Loads the library, which the first use takes long for, and most nodes never need. */
export const loadVerifier = () => import('@simplewebauthn/server')

/** The new credential, of which the person was verified; undefined if anything is wrong with it. */
export async function verifyAttestation(
  { party, challenge }: Expected,
  { response, ...credential }: Attestation,
): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await loadVerifier()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: await withoutStatement(response.attestationObject),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo?.credential.id !== credential.id) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
  } catch {
    return undefined
  }
}

/**
 * The count of signatures that the authenticator has reached; undefined if anything is wrong with the
 * assertion, such as a count that is not beyond the known one (WebAuthn, section 6.1.1).
 */
export async function verifyAssertion(
  { party, challenge }: Expected,
  { credentialId, publicKey, counter }: Credential,
  { response, ...credential }: Assertion,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadVerifier()
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/**
 * The same credential, without what its maker says about it, which nobody here relies on: reading it would
 * mean reading certificates, and requests to addresses that stand in them.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData')
  const bare = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  )
  return Buffer.from(bare).toString('base64url')
}
