/** A second factor as its person sees it. */
import { z } from 'zod'
import { returnedSecret } from '../../../lib/secret.ts'
import { integer } from '../../../stores/db/record-fields.ts'

export const factorSchema = z.object({
  on: z
    .boolean()
    .meta({ description: 'Whether signing in with the password takes a code or a passkey as well' }),
  app: z.boolean().default(false).meta({ description: 'Whether codes of an app are in use' }),
  passkeys: integer.default(0).meta({ description: 'How many passkeys there are' }),
  recovery_codes: integer.meta({ description: 'How many recovery codes are left' }),
})

export const startedSchema = z.object({
  secret: returnedSecret(z.string(), { description: 'For the app, in base32; returned once' }),
  url: returnedSecret(z.string(), { description: 'The same as an address, which apps read as a QR code' }),
})

export const recoveryCodesSchema = z.object({
  recovery_codes: z.array(returnedSecret(z.string())).meta({
    description: 'Each works once; returned once, and empty where those of before remain',
  }),
})

export type Factor = z.infer<typeof factorSchema>

export type Started = z.infer<typeof startedSchema>

export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>
