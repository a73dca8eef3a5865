/** Tokens & API keys. */
import { z } from 'zod'
import { createKey, listKeys, revokeKey } from '../auth/keys.ts'
import { roleSchema } from '../auth/principal.ts'
import { idSchema } from '../ids.ts'
import { procedure, router } from '../trpc/init.ts'
import { deleted, pageInput, pageOf, timeMs } from './schemas.ts'

const tags = ['Tokens & API keys']

const apiKey = z
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

const newApiKey = apiKey
  .extend({
    token: z.string().optional().meta({
      description: 'The secret. Shown in this answer only: not when it is repeated by its Idempotency-Key',
    }),
  })
  .meta({ id: 'NewApiKey' })

const createInput = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Any label', examples: ['deploy from CI'] }),
  role: roleSchema
    .default('member')
    .meta({ description: 'What the key may do; never more than its maker may' }),
})

export const tokensRouter = router({
  createKey: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/apikeys',
        tags,
        summary: 'Create an API key',
        description: 'The answer holds the token, which is shown only once. Only an owner makes owner keys.',
        successDescription: 'The key, with its token',
        errorResponses: [400, 401, 403, 413, 500, 503],
      },
    })
    .input(createInput)
    .output(newApiKey)
    .mutation(({ ctx: { services, principal, remember }, input }) =>
      createKey(services, principal, input, remember),
    ),

  listKeys: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/apikeys',
        tags,
        summary: 'List API keys',
        description: 'Newest first. An owner sees every key of the team, a member its own member keys.',
        successDescription: 'A page of keys',
        errorResponses: [400, 401, 500, 503],
      },
    })
    .input(z.strictObject(pageInput))
    .output(pageOf(apiKey))
    .query(({ ctx: { services, principal }, input }) => listKeys(services.store, principal, input)),

  revokeKey: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/apikeys/{key}',
        tags,
        summary: 'Revoke an API key',
        description: 'At once on this node, within a second on every other.',
        successDescription: 'The key is gone',
        errorResponses: [400, 401, 404, 500, 503],
      },
    })
    .input(z.strictObject({ key: z.string().min(1).max(100).meta({ description: "The key's id" }) }))
    .output(deleted('key'))
    .mutation(({ ctx: { services, principal }, input }) => revokeKey(services.store, principal, input.key)),
})
