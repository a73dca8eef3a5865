/** The formats of webhooks: the signed standard for programs, and messages for people. */
import { z } from 'zod'
import { type WebhookFormat, webhookFormats } from '../../../stores/db/schema/webhooks.ts'

export const formatSchema = z.enum(webhookFormats)

/** Whether whoever knows the address may post there, so that it is kept like a password. */
export function hasSecretAddress(format: WebhookFormat): boolean {
  return format === 'slack' || format === 'discord'
}

/** The part of an address that anybody may see: scheme, host and port. */
export function shownAddress(url: string): string {
  return `${new URL(url).origin}/…`
}
