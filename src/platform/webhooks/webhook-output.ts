/** Webhooks and deliveries as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'
import { formatSchema } from './formats/format.ts'

export const webhookSchema = z
  .object({
    id: idSchema('webhook'),
    format: formatSchema.default('standard'),
    url: z.string().meta({
      description: 'Of `slack` and `discord` its host alone, for the rest is a secret; empty for `mail`',
      examples: ['https://example.com/webhooks'],
    }),
    events: z.array(z.string()).meta({ examples: [['deployment.ready', 'deployment.error']] }),
    projects: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Only what happens in these; null: everything; empty once they are all deleted' }),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({
        description:
          '`gone`: it answered 410, or 404 to a message for Slack or Discord; ' +
          '`failing`: nothing but failures for 5 days; ' +
          '`secret_lost`: the service was restored without its encryption key, so create another webhook',
      }),
    failing_since_ms: timeMs.nullable().meta({ description: 'Since when every attempt has failed' }),
    created_ms: timeMs,
    last_delivery_ms: timeMs.nullable().meta({ description: 'When it last took one' }),
  })
  .meta({ id: 'Webhook' })

export type WebhookRecord = z.infer<typeof webhookSchema>

/** `next_attempt_ms` is null once it is delivered, or given up. */
export const deliverySchema = z
  .object({
    id: idSchema('delivery'),
    event: idSchema('event').meta({ description: 'What `webhook-id` says, at each attempt' }),
    status: z.enum(['pending', 'delivered', 'failed']),
    http_status: integer.nullable().meta({ description: 'What the last attempt was answered' }),
    attempts: integer,
    duration_ms: integer.nullable().meta({ description: 'How long the last attempt took' }),
    next_attempt_ms: timeMs.nullable(),
    sent_to: integer
      .nullable()
      .default(null)
      .meta({ description: 'Of `mail`: how many members have got it; null before the first attempt' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    created_ms: timeMs,
  })
  .meta({ id: 'Delivery' })

export type DeliveryRecord = z.infer<typeof deliverySchema>

/** A webhook of the format `mail`, as a member sees it who may choose its mails. */
export const mailChoiceSchema = z.object({
  webhook: idSchema('webhook'),
  events: z.array(z.string()),
  projects: z.array(z.string()).nullable().meta({ description: 'Of these, those that the member sees' }),
  enabled: z.boolean(),
  chosen: z.boolean().meta({ description: 'Whether the member gets its mails' }),
})

export type MailChoice = z.infer<typeof mailChoiceSchema>
