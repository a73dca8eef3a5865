/** Webhooks. */
import { z } from 'zod'
import { returnedSecret } from '../../lib/secret.ts'
import { createWebhook } from '../../platform/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../platform/webhooks/delete-webhook.ts'
import { deliveryDetailsSchema, listDeliveries } from '../../platform/webhooks/deliveries.ts'
import { enableWebhook } from '../../platform/webhooks/enable.ts'
import { chooseMails, listMailChoices } from '../../platform/webhooks/mails/choices.ts'
import { pingWebhook } from '../../platform/webhooks/ping.ts'
import { getWebhook, listWebhooks } from '../../platform/webhooks/read-webhook.ts'
import { redeliver } from '../../platform/webhooks/redeliver.ts'
import {
  createWebhookInput,
  listDeliveriesInput,
  redeliverInput,
  webhookReference,
} from '../../platform/webhooks/webhook-input.ts'
import { deliverySchema, mailChoiceSchema, webhookSchema } from '../../platform/webhooks/webhook-output.ts'
import { pageInput, pageSchema } from '../../stores/db/page-schema.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { createWebhookExample, deliveryExample, webhookExample } from './examples/webhooks.ts'
import { pageMeta } from './page-meta.ts'

export const webhooksTag = {
  name: 'Webhooks',
  description: 'Notifications of events: signed (Standard Webhooks), to Slack or Discord, or by mail.',
}

const tags = [webhooksTag.name]

/** Webhooks are the whole team's. */
const notShown = {
  reason: 'webhook_not_found',
  message: 'Webhooks are not for members limited to some projects.',
} as const

export const webhooksRouter = router({
  list: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      ...pageMeta({
        of: 'webhooks',
        path: '/v1/webhooks',
        tags,
        summary: 'List webhooks',
        description: 'Newest first. None for members limited to some projects.',
        example: webhookExample,
      }),
    })
    .input(z.strictObject(pageInput))
    .output(pageSchema(webhookSchema))
    .query(({ ctx: { services, principal }, input }) => listWebhooks(services.store.db, principal, input)),

  create: procedure
    .meta({
      role: 'owner',
      additive: true,
      openapi: {
        method: 'POST',
        path: '/v1/webhooks',
        tags,
        summary: 'Create a webhook',
        description:
          'The response contains the signing secret of the format `standard`, once. ' +
          'A webhook.ping is sent at once. For owners.',
        successDescription: 'The webhook, with its secret',
      },
      reasons: ['project_not_found', 'too_many_webhooks'],
      example: {
        request: createWebhookExample,
        response: { ...webhookExample, secret: 'whsec_<32 bytes in base64>' },
      },
    })
    .input(createWebhookInput)
    .output(
      webhookSchema
        .extend({
          secret: returnedSecret(z.string().optional(), {
            description:
              'Of the format `standard`; only in this response, not in a replay for its Idempotency-Key',
          }),
        })
        .meta({ id: 'NewWebhook' }),
    )
    .mutation(({ ctx, input }) => createWebhook(ctx.services, ctx, input, ctx.remember)),

  get: procedure
    .meta({
      role: 'member',
      limited: notShown,
      openapi: {
        method: 'GET',
        path: '/v1/webhooks/{webhook}',
        tags,
        summary: 'Get a webhook',
        description: 'With its last 20 deliveries, newest first.',
        successDescription: 'The webhook',
      },
      reasons: ['webhook_not_found'],
      example: { response: { ...webhookExample, deliveries: [deliveryExample] } },
    })
    .input(webhookReference)
    .output(
      webhookSchema.extend({ deliveries: z.array(deliverySchema) }).meta({ id: 'WebhookWithDeliveries' }),
    )
    .query(({ ctx: { services, principal }, input }) =>
      getWebhook(services.store.db, principal.teamId, input.webhook),
    ),

  delete: procedure
    .meta({
      role: 'owner',
      openapi: {
        method: 'DELETE',
        path: '/v1/webhooks/{webhook}',
        tags,
        summary: 'Delete a webhook',
        description: 'Pending deliveries are dropped. For owners.',
        successDescription: 'The webhook was deleted',
      },
      reasons: ['webhook_not_found'],
      example: { response: { id: webhookExample.id, deleted: true } },
    })
    .input(webhookReference)
    .output(deleted('webhook'))
    .mutation(({ ctx, input }) => deleteWebhook(ctx.services, ctx, input.webhook)),

  deliveries: procedure
    .meta({ role: 'member', limited: notShown })
    .input(listDeliveriesInput)
    .output(pageSchema(deliveryDetailsSchema))
    .query(({ ctx: { services, principal }, input: { webhook, ...options } }) =>
      listDeliveries({ db: services.store.db, apiUrl: services.apiUrl }, principal.teamId, webhook, options),
    ),

  test: procedure
    .meta({ role: 'owner' })
    .input(webhookReference)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => pingWebhook(ctx.services, ctx, input.webhook)),

  redeliver: procedure
    .meta({ role: 'owner' })
    .input(redeliverInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => redeliver(ctx.services, ctx, input)),

  enable: procedure
    .meta({ role: 'owner' })
    .input(webhookReference)
    .output(webhookSchema)
    .mutation(({ ctx, input }) => enableWebhook(ctx.services, ctx, input.webhook)),

  /** A limited member has no webhooks, but chooses mails as others do. */
  mails: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(z.strictObject({}))
    .output(z.array(mailChoiceSchema))
    .query(({ ctx: { services, principal } }) => listMailChoices(services.store.db, principal)),

  subscribe: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(webhookReference)
    .output(mailChoiceSchema)
    .mutation(({ ctx: { services, principal }, input }) =>
      chooseMails(services, principal, { webhook: input.webhook, isChosen: true }),
    ),

  unsubscribe: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(webhookReference)
    .output(mailChoiceSchema)
    .mutation(({ ctx: { services, principal }, input }) =>
      chooseMails(services, principal, { webhook: input.webhook, isChosen: false }),
    ),
})
