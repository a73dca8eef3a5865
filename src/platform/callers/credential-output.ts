/** API keys and JWTs as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { returnedSecret } from '../../lib/secret.ts'
import { timeMs } from '../../stores/db/record-fields.ts'
import { roleSchema } from './principal.ts'

export const keySchema = z
  .object({
    id: idSchema('key'),
    name: z.string(),
    prefix: z
      .string()
      .meta({ description: 'The start of the token, to recognise it by', examples: ['svc_Ab3dE6…'] }),
    team: z.string().meta({ description: "The team's slug" }),
    role: roleSchema,
    created_ms: timeMs,
    last_used_ms: timeMs.meta({ description: '0 until it is first used' }),
  })
  .meta({ id: 'ApiKey' })

export const newKeySchema = keySchema
  .extend({
    token: returnedSecret(z.string().optional(), {
      description: 'The secret. Shown in this answer only: not when it is repeated by its Idempotency-Key',
    }),
  })
  .meta({ id: 'NewApiKey' })

/** The fields of a key that its record lacks, for first-party programs: RPC only. */
export const keyDetailsSchema = z.object({
  id: idSchema('key'),
  created_by: idSchema('user').meta({ description: 'Whose it is: it acts as this person' }),
  created_by_name: z.string().meta({ description: 'The present name of that person' }),
})

export const tokenSchema = z
  .object({
    token: returnedSecret(z.string(), { description: 'The JWT' }),
    token_type: z.literal('Bearer'),
    team: z.string().meta({ description: "The team's slug" }),
    role: roleSchema,
    expires_ms: timeMs.meta({ description: '8 hours from now; it ends sooner with what it was minted with' }),
  })
  .meta({ id: 'Token' })

export type KeyRecord = z.infer<typeof keySchema>

export type KeyDetails = z.infer<typeof keyDetailsSchema>

export type TokenRecord = z.infer<typeof tokenSchema>
