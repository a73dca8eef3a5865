/** Passkeys as their person sees them, and what browsers need to make and use them. */
import { z } from 'zod'
import { idSchema } from '../../../lib/ids.ts'
import { integer, timeMs } from '../../../stores/db/record-fields.ts'
import { recoveryCodesSchema } from '../second-factor/second-factor-output.ts'
import { transportSchema } from './credential.ts'

export const passkeySchema = z.object({
  id: idSchema('passkey'),
  name: z.string(),
  created_ms: timeMs,
  last_used_ms: timeMs.nullable(),
})

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transportSchema),
})

/** PublicKeyCredentialCreationOptionsJSON (WebAuthn, section 5.1.9). */
export const creationOptionsSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: integer })),
  timeout: integer,
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** PublicKeyCredentialRequestOptionsJSON (WebAuthn, section 5.1.10). */
export const requestOptionsSchema = z.object({
  challenge: z.string(),
  timeout: integer,
  rpId: z.string(),
  allowCredentials: z.array(descriptor),
  userVerification: z.literal('required'),
})

export const addedSchema = recoveryCodesSchema.extend({ passkey: passkeySchema })

export type PasskeyRecord = z.infer<typeof passkeySchema>

export type CreationOptions = z.infer<typeof creationOptionsSchema>

export type RequestOptions = z.infer<typeof requestOptionsSchema>

export type Added = z.infer<typeof addedSchema>
