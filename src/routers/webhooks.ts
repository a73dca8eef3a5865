/** Webhooks. */
import { z } from 'zod'
import { eventTypes } from '../events/types.ts'
import { procedure, router } from '../trpc/init.ts'
import { createWebhook } from '../webhooks/create.ts'
import { deleteWebhook } from '../webhooks/delete.ts'
import { deliveryDetailsSchema, deliveryStateSchema, listDeliveries } from '../webhooks/deliveries.ts'
import { enableWebhook } from '../webhooks/enable.ts'
import { pingWebhook } from '../webhooks/ping.ts'
import { getWebhook, listWebhooks } from '../webhooks/read.ts'
import { deliverySchema, webhookSchema } from '../webhooks/record.ts'
import { redeliver } from '../webhooks/redeliver.ts'
import { deleted, pageInput, pageOf, projectReference } from './schemas.ts'

const tags = ['Webhooks']

const reference = z.strictObject({
  webhook: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The webhook's id", examples: ['hook_019aa5d3e6d071f3b8a25c94d0e1f7a6'] }),
})

const isUnique = (values: string[]) => new Set(values).size === values.length

const createInput = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(2_000)
    .meta({ description: 'https, port 443 or 8443', examples: ['https://example.com/webhooks'] }),
  events: z
    .array(z.enum(eventTypes))
    .min(1)
    .refine(isUnique, 'must not contain duplicates')
    .meta({ examples: [['deployment.ready', 'deployment.error']] }),
  projects: z
    .array(projectReference)
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'Only events of these projects, by name or id' }),
})

export const webhooksRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhooks',
        tags,
        summary: 'List webhooks',
        description: 'Newest first.',
        successDescription: 'A page of webhooks',
      },
    })
    .input(z.strictObject(pageInput))
    .output(pageOf(webhookSchema))
    .query(({ ctx: { services, principal }, input }) =>
      listWebhooks(services.store.db, principal.teamId, input),
    ),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhooks',
        tags,
        summary: 'Create a webhook',
        description:
          'The response contains the signing secret, once. A webhook.ping is sent at once. For owners.',
        successDescription: 'The webhook, with its secret',
      },
      reasons: ['project_not_found', 'too_many_webhooks'],
    })
    .input(createInput)
    .output(
      webhookSchema
        .extend({
          secret: z.string().optional().meta({
            description: 'Only in this response, not in a replay for its Idempotency-Key',
          }),
        })
        .meta({ id: 'NewWebhook' }),
    )
    .mutation(({ ctx, input }) => createWebhook(ctx.services, ctx, input, ctx.remember)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhooks/{webhook}',
        tags,
        summary: 'Get a webhook',
        description: 'With its last 20 deliveries, newest first.',
        successDescription: 'The webhook',
      },
      reasons: ['webhook_not_found'],
    })
    .input(reference)
    .output(
      webhookSchema.extend({ deliveries: z.array(deliverySchema) }).meta({ id: 'WebhookWithDeliveries' }),
    )
    .query(({ ctx: { services, principal }, input }) =>
      getWebhook(services.store.db, principal.teamId, input.webhook),
    ),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/webhooks/{webhook}',
        tags,
        summary: 'Delete a webhook',
        description: 'Pending deliveries are dropped. For owners.',
        successDescription: 'The webhook was deleted',
      },
      reasons: ['webhook_not_found'],
    })
    .input(reference)
    .output(deleted('webhook'))
    .mutation(({ ctx: { services, principal }, input }) => deleteWebhook(services, principal, input.webhook)),

  deliveries: procedure
    .input(reference.extend({ ...pageInput, state: deliveryStateSchema.optional() }))
    .output(pageOf(deliveryDetailsSchema))
    .query(({ ctx: { services, principal }, input: { webhook, ...options } }) =>
      listDeliveries(services.store.db, principal.teamId, webhook, options),
    ),

  test: procedure
    .input(reference)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => pingWebhook(ctx.services, ctx, input.webhook)),

  redeliver: procedure
    .input(reference.extend({ delivery: z.string().min(1).max(100) }))
    .output(deliverySchema)
    .mutation(({ ctx: { services, principal }, input }) => redeliver(services, principal, input)),

  enable: procedure
    .input(reference)
    .output(webhookSchema)
    .mutation(({ ctx: { services, principal }, input }) => enableWebhook(services, principal, input.webhook)),
})
