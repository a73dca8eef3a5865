/** Webhooks and deliveries as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'

export const webhookSchema = z
  .object({
    id: idSchema('webhook'),
    url: z.string().meta({ examples: ['https://example.com/webhooks'] }),
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
          '`gone`: it answered 410; `failing`: nothing but failures for 5 days; ' +
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
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    created_ms: timeMs,
  })
  .meta({ id: 'Delivery' })

export type DeliveryRecord = z.infer<typeof deliverySchema>
