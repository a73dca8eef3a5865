/** The inputs of requests about webhooks. */
import { z } from 'zod'
import { pageInput } from '../../stores/db/page-schema.ts'
import { eventTypes } from '../../stores/events/types.ts'
import { projectReference } from '../projects/reference.ts'
import { deliverySchema } from './output.ts'

export const webhookReference = z.strictObject({
  webhook: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The webhook's id", examples: ['hook_019aa5d3e6d071f3b8a25c94d0e1f7a6'] }),
})

const isUnique = (values: string[]) => new Set(values).size === values.length

export const createWebhookInput = z.strictObject({
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

export const listDeliveriesInput = webhookReference.extend({
  ...pageInput,
  state: deliverySchema.shape.status.optional(),
})

export const redeliverInput = webhookReference.extend({ delivery: z.string().min(1).max(100) })

export type NewWebhook = z.infer<typeof createWebhookInput>

export type ListDeliveries = Omit<z.infer<typeof listDeliveriesInput>, 'webhook'>
