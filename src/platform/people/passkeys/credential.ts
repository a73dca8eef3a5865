/** Passkeys and their use as browsers send them, in JSON (WebAuthn, section 5.1.8). */
import { z } from 'zod'

/** Bytes in base64url without padding. */
function bytes(maxBytes: number) {
  return z
    .string()
    .min(1)
    .max(Math.ceil((maxBytes * 4) / 3))
    .regex(/^[\w-]+$/, 'should be base64url')
}

/** The length that authenticators keep to (CTAP 2.1, section 6.1). */
const credentialId = bytes(1_023)

const clientData = bytes(2_048)

const maxTransports = 10

const credential = z.object({ id: credentialId, rawId: credentialId, type: z.literal('public-key') })

/** Ways to reach an authenticator (WebAuthn, section 5.8.4). */
export const transportSchema = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** Those that are known. */
export function knownTransports(said: string[]): z.infer<typeof transportSchema>[] {
  return said.flatMap((each) => transportSchema.safeParse(each).data ?? [])
}

/** The assertion by which a browser uses a passkey; its other fields don't matter. */
export const assertionSchema = credential.extend({
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: bytes(1_024),
    signature: bytes(1_024),
    userHandle: bytes(64).nullish(),
  }),
})

/** The attestation that a browser makes for a new passkey. */
export const attestationSchema = credential.extend({
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: bytes(16_384),
    transports: z.array(z.string().max(32)).max(maxTransports).default([]),
  }),
})

export type Assertion = z.infer<typeof assertionSchema>

export type Attestation = z.infer<typeof attestationSchema>
