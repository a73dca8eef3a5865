/** The formats of webhooks: the signed standard for programs, and messages for people. */
import { z } from 'zod'
import { type WebhookFormat, webhookFormats } from '../../../stores/db/schema/webhooks.ts'
import type { EventType } from '../../../stores/events/types.ts'

export const formatSchema = z.enum(webhookFormats)

/** What people are told of where nobody chose: builds, domains and their certificates. */
export const eventsForPeople: EventType[] = [
  'deployment.ready',
  'deployment.error',
  'deployment.promoted',
  'domain.verified',
  'domain.unverified',
  'domain.certificate_failed',
]

/** Whether whoever knows the address may post there, so that it is kept like a password. */
export function hasSecretAddress(format: WebhookFormat): boolean {
  return format === 'slack' || format === 'discord'
}

/** What anybody may see of an address: scheme, host and port. */
export function shownAddress(url: string): string {
  return `${new URL(url).origin}/…`
}
