/** The inputs of requests about passkeys. */
import { z } from 'zod'
import { nameSchema } from '../person-input.ts'
import { proofInput } from '../second-factor/second-factor-input.ts'
import { attestationSchema } from './credential.ts'

const reference = z.string().min(1).max(100).meta({ description: "The passkey's id" })

const passkeyName = nameSchema.meta({
  description: 'As its person recognizes it; by default that of the device',
  examples: ['Chrome on Linux'],
})

export const addPasskeyInput = z.strictObject({
  credential: attestationSchema,
  name: passkeyName.optional(),
})

export const renamePasskeyInput = z.strictObject({ id: reference, name: passkeyName })

export const removePasskeyInput = proofInput.extend({ id: reference })

export type AddPasskey = z.infer<typeof addPasskeyInput>
