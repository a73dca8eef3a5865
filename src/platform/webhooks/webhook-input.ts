/** The inputs of requests about webhooks. */
import { z } from 'zod'
import { eventTypes } from '../../lib/names/event-types.ts'
import { noticeEvents } from '../../lib/notice-events.ts'
import { secretField } from '../../lib/secret.ts'
import { pageInput } from '../../stores/db/page-schema.ts'
import { projectReference } from '../projects/reference.ts'
import { formatSchema } from './formats/format.ts'
import { deliverySchema } from './webhook-output.ts'

export const webhookReference = z.strictObject({
  webhook: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The webhook's id", examples: ['hook_019aa5d3e6d071f3b8a25c94d0e1f7a6'] }),
})

const isUnique = (values: string[]) => new Set(values).size === values.length

const createFields = z.strictObject({
  format: formatSchema.default('standard').meta({
    description:
      '`standard`: signed requests (Standard Webhooks); `slack` and `discord`: messages for an incoming ' +
      'webhook of these, or of a service that takes the same; `mail`: mails to members who choose them',
  }),
  url: secretField(z.string().min(1).max(2_000).optional(), {
    description: 'https, port 443 or 8443; required for every format but `mail`, which has none',
    examples: ['https://example.com/webhooks'],
  }),
  events: z
    .array(z.enum(eventTypes))
    .min(1)
    .refine(isUnique, 'must not contain duplicates')
    .optional()
    .meta({
      description: `Required for \`standard\`; default of the others: ${noticeEvents.join(', ')}`,
      examples: [['deployment.ready', 'deployment.error']],
    }),
  projects: z
    .array(projectReference)
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'Only events of these projects, by name or id' }),
})

export const createWebhookInput = createFields.superRefine(({ format, url, events }, { addIssue }) => {
  const problem = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (format === 'mail' && url !== undefined) problem('url', 'must be left out for mails')
  if (format !== 'mail' && url === undefined) problem('url', `is required for the format ${format}`)
  if (format === 'standard' && events === undefined) problem('events', 'is required for the format standard')
})

export const listDeliveriesInput = webhookReference.extend({
  ...pageInput,
  state: deliverySchema.shape.status.optional(),
})

export const redeliverInput = webhookReference.extend({ delivery: z.string().min(1).max(100) })

export type NewWebhook = z.infer<typeof createWebhookInput>

export type ListDeliveries = Omit<z.infer<typeof listDeliveriesInput>, 'webhook'>
