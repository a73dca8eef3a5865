/** The inputs of requests about a second factor. */
import { z } from 'zod'
import { secretField } from '../../../lib/secret.ts'
import { assertionSchema } from '../passkeys/credential.ts'
import { presentPassword } from '../password.ts'

const code = secretField(z.string().min(1).max(100), {
  description: 'The six digits of the app, or a recovery code',
  examples: ['123456'],
})

export const confirmFactorInput = z.strictObject({ code })

/** With a second factor, a code or a passkey is required. */
export const proofInput = z.strictObject({
  current_password: presentPassword,
  code: code.optional(),
  passkey: assertionSchema
    .optional()
    .meta({ description: 'In place of a code: what a browser says of its use' }),
})

export type Proof = z.infer<typeof proofInput>
