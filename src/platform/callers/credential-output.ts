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

/** The limits of a key, which its record lacks: RPC only. */
const limitFields = {
  expires_ms: timeMs.nullable().meta({ description: 'When it ends by itself; null for never' }),
  projects: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The names of the only projects that it sees; null for all' }),
  read_only: z.boolean().meta({ description: 'Whether it changes nothing' }),
}

export const newLimitedKeySchema = newKeySchema.extend(limitFields).meta({ id: 'NewLimitedApiKey' })

/** A key with what its record lacks: RPC only. */
export const keyDetailsSchema = keySchema
  .extend({
    created_by: idSchema('user').meta({ description: 'Whose it is: it acts as this person' }),
    created_by_name: z.string().meta({ description: 'The present name of that person' }),
    ...limitFields,
    projects: limitFields.projects.meta({
      description:
        'The names of the only projects that it sees, as far as the caller sees them; null for all',
    }),
    expired: z.boolean().meta({ description: 'Whether its time is over' }),
  })
  .meta({ id: 'ApiKeyDetails' })

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

export type NewKeyRecord = z.infer<typeof newLimitedKeySchema> & { token: string }

export type KeyDetails = z.infer<typeof keyDetailsSchema>

export type TokenRecord = z.infer<typeof tokenSchema>
