/** Examples of webhooks and deliveries in the document of the API. */
import type { z } from 'zod'
import type { createWebhookInput } from '../../../platform/webhooks/webhook-input.ts'
import type { deliverySchema, WebhookRecord } from '../../../platform/webhooks/webhook-output.ts'

export const webhookExample: WebhookRecord = {
  id: 'hook_019aa5d3e5b07c8d91f2a6430b7de158',
  format: 'standard',
  url: 'https://example.com/webhooks',
  events: ['deployment.ready', 'deployment.error'],
  projects: ['web'],
  enabled: true,
  disabled_reason: null,
  failing_since_ms: null,
  created_ms: 1_790_000_000_000,
  last_delivery_ms: 1_790_000_002_100,
}

export const createWebhookExample: z.input<typeof createWebhookInput> = {
  url: webhookExample.url,
  events: ['deployment.ready', 'deployment.error'],
  projects: ['web'],
}

export const deliveryExample: z.infer<typeof deliverySchema> = {
  id: 'dlv_6f1d0c5be2a94873b1c7e0589adf3426',
  event: 'evt_019aa5d3d2f41b6c80a95e7d3f2c4816',
  status: 'delivered',
  http_status: 200,
  attempts: 1,
  duration_ms: 42,
  next_attempt_ms: null,
  sent_to: null,
  error: null,
  created_ms: 1_790_000_002_000,
}
