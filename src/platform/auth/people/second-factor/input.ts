/** The inputs of requests about a second factor. */
import { z } from 'zod'
import { assertionSchema } from '../passkeys/credential.ts'
import { maxPasswordLength } from '../password.ts'

const password = z.string().min(1).max(maxPasswordLength)

const code = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The six digits of the app, or a recovery code', examples: ['123456'] })

export const confirmFactorInput = z.strictObject({ code })

/** With a second factor, a code or a passkey is required. */
export const proofInput = z.strictObject({
  current_password: password,
  code: code.optional(),
  passkey: assertionSchema
    .optional()
    .meta({ description: 'In place of a code: what a browser says of its use' }),
})

export type Proof = z.infer<typeof proofInput>
