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
  role: roleSchema.default('member').meta({ description: "The key's role, at most the creator's" }),
})

const mintInput = z.strictObject({
  team: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "A team's slug or id; for sessions only, since an API key belongs to one" }),
})

export const tokensRouter = router({
  createKey: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/apikeys',
        tags,
        summary: 'Create an API key',
        description: 'The response contains the token, once. Only owners create owner keys.',
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
        description: 'Newest first. Owners see all keys of the team, members their own member keys.',
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
        description: 'Takes effect at once on this node, within a second on others.',
        successDescription: 'The key was revoked',
      },
      reasons: ['key_not_found'],
    })
    .input(
      z.strictObject({
        key: z
          .string()
          .min(1)
          .max(100)
          .meta({ description: "The key's id", examples: ['key_019aa5d3b3208fd4e7a15c60b2938d4e'] }),
      }),
    )
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
          'If the server has a JWT secret, every request but a GET needs a JWT. It has the permissions of the key or session, and ends with it.',
        successDescription: 'The JWT',
      },
      reasons: ['jwt_not_configured', 'jwt_cannot_mint'],
      keepsResponse: false,
    })
    .input(mintInput.default({}))
    .output(tokenSchema)
    .mutation(({ ctx: { services, principal }, input }) => mintToken(services, principal, input)),
})
