/** Tokens & API keys. */
import { z } from 'zod'
import { createKey, listKeys, revokeKey } from '../auth/keys.ts'
import { mintToken } from '../auth/mint.ts'
import { roleSchema } from '../auth/principal.ts'
import { keySchema, newKeySchema, tokenSchema } from '../auth/record.ts'
import { procedure, router } from '../trpc/init.ts'
import { deleted, pageInput, pageOf } from './schemas.ts'

const tags = ['Tokens & API keys']

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

const mintInput = z.strictObject({
  team: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "A team's slug or id; from a session only, since an API key has its own" }),
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
      },
      reasons: ['role_required'],
    })
    .input(createInput)
    .output(newKeySchema)
    .mutation(({ ctx, input }) => createKey(ctx.services, ctx, input, ctx.remember)),

  listKeys: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/apikeys',
        tags,
        summary: 'List API keys',
        description: 'Newest first. An owner sees every key of the team, a member its own member keys.',
        successDescription: 'A page of keys',
      },
    })
    .input(z.strictObject(pageInput))
    .output(pageOf(keySchema))
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
      },
      reasons: ['key_not_found'],
    })
    .input(z.strictObject({ key: z.string().min(1).max(100).meta({ description: "The key's id" }) }))
    .output(deleted('key'))
    .mutation(({ ctx, input }) => revokeKey(ctx.services, ctx, input.key)),

  mint: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/token',
        tags,
        summary: 'Exchange an API key for a JWT',
        description:
          'Where the server has a JWT secret, everything but a GET needs such a token. It does what the key (or the session) may do, and ends with it.',
        successDescription: 'The JWT',
      },
      reasons: ['jwt_not_configured', 'jwt_cannot_mint'],
      keepsResponse: false,
    })
    .input(mintInput.default({}))
    .output(tokenSchema)
    .mutation(({ ctx: { services, principal }, input }) => mintToken(services, principal, input)),
})
