/** Tokens & API keys. */
import { z } from 'zod'
import {
  createKeyInput,
  createLimitedKeyInput,
  keyReference,
  mintInput,
} from '../../platform/callers/credential-input.ts'
import {
  keyDetailsSchema,
  keySchema,
  newKeySchema,
  newLimitedKeySchema,
  tokenSchema,
} from '../../platform/callers/credential-output.ts'
import { createKey, revokeKey } from '../../platform/callers/keys.ts'
import { listKeyDetails, listKeys } from '../../platform/callers/list-keys.ts'
import { mintToken } from '../../platform/callers/mint.ts'
import { pageInput, pageSchema } from '../../stores/db/page-schema.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import {
  createKeyExample,
  createLimitedKeyExample,
  keyDetailsExample,
  keyExample,
  mintedTokenExample,
  newLimitedKeyExample,
} from './examples/tokens.ts'
import { pageMeta } from './page-meta.ts'

export const tokensTag = {
  name: 'Tokens & API keys',
  description: 'Credentials, each bound to one team and one role.',
}

const tags = [tokensTag.name]

export const tokensRouter = router({
  createKey: procedure
    .meta({
      role: 'member',
      limited: 'same',
      forUnlimitedKeys: true,
      additive: true,
      openapi: {
        method: 'POST',
        path: '/v1/apikeys',
        tags,
        summary: 'Create an API key',
        description: 'The response contains the token, once. Only owners create owner keys.',
        successDescription: 'The key, with its token',
      },
      reasons: ['role_required'],
      example: {
        request: createKeyExample,
        response: { ...keyExample, token: 'svc_<32 characters><6 characters checksum>' },
      },
    })
    .input(createKeyInput)
    .output(newKeySchema)
    .mutation(({ ctx, input }) => createKey(ctx.services, ctx, input, ctx.remember)),

  createLimitedKey: procedure
    .meta({
      role: 'member',
      limited: 'same',
      forUnlimitedKeys: true,
      keepsResponse: true,
      reasons: ['role_required'],
      public: {
        summary: 'Create an API key with limits',
        description: 'The response contains the token, once.',
        example: {
          input: createLimitedKeyExample,
          output: { ...newLimitedKeyExample, token: 'svc_<32 characters><6 characters checksum>' },
        },
      },
    })
    .input(createLimitedKeyInput)
    .output(newLimitedKeySchema)
    .mutation(({ ctx, input }) => createKey(ctx.services, ctx, input, ctx.remember)),

  listKeys: procedure
    .meta({
      role: 'member',
      limited: 'same',
      ...pageMeta({
        of: 'keys',
        path: '/v1/apikeys',
        tags,
        summary: 'List API keys',
        description: 'Newest first. Owners see all keys of the team, members their own member keys.',
        example: keyExample,
      }),
    })
    .input(z.strictObject(pageInput))
    .output(pageSchema(keySchema))
    .query(({ ctx: { services, principal }, input }) => listKeys(services.store, principal, input)),

  keyDetails: procedure
    .meta({
      role: 'member',
      limited: 'same',
      reasons: [],
      public: {
        summary: 'List API keys with their limits',
        description: 'Newest first. Owners see all keys of the team, members their own member keys.',
        example: { input: {}, output: { data: [keyDetailsExample], next_cursor: null } },
      },
    })
    .input(z.strictObject(pageInput))
    .output(pageSchema(keyDetailsSchema))
    .query(({ ctx: { services, principal }, input }) => listKeyDetails(services, principal, input)),

  revokeKey: procedure
    .meta({
      role: 'member',
      limited: 'same',
      openapi: {
        method: 'DELETE',
        path: '/v1/apikeys/{key}',
        tags,
        summary: 'Revoke an API key',
        description: 'Takes effect at once on this node, within a second on others.',
        successDescription: 'The key was revoked',
      },
      reasons: ['key_not_found'],
      example: { response: { id: keyExample.id, deleted: true } },
    })
    .input(keyReference)
    .output(deleted('key'))
    .mutation(({ ctx, input }) => revokeKey(ctx.services, ctx, input.key)),

  mint: procedure
    .meta({
      role: 'member',
      // Calls about the person may need a JWT; it lacks what its session lacks.
      ofPerson: true,
      forWorkloads: true,
      limited: 'same',
      additive: true,
      openapi: {
        method: 'POST',
        path: '/v1/token',
        tags,
        summary: 'Exchange an API key for a JWT',
        description:
          'If the server has a JWT secret, every request but a GET needs a JWT. ' +
          'It has the permissions of the key or session, and ends with it. Jobs of CI systems exchange an ' +
          'identity token instead, for a JWT of at most an hour that reads one project, and makes and ' +
          'reads deployments of it.',
        successDescription: 'The JWT',
      },
      reasons: ['jwt_not_configured', 'jwt_cannot_mint', 'not_trusted', 'issuer_unavailable'],
      keepsResponse: false,
      // Another token does no harm.
      repeatable: true,
      example: { request: {}, response: mintedTokenExample },
    })
    .input(mintInput.default({}))
    .output(tokenSchema)
    .mutation(({ ctx: { services, principal }, input }) => mintToken(services, principal, input)),
})
