/** The data of events about webhooks themselves. */
import { type WebhookFormat, webhooks } from '../../stores/db/schema/webhooks.ts'
import type { EventData } from '../../stores/events/types.ts'

/** The columns of that data. */
export const endpointColumns = {
  id: webhooks.id,
  format: webhooks.format,
  url: webhooks.url,
  events: webhooks.events,
}

type Endpoint = { id: string; format: WebhookFormat; url: string; events: string[] }

/** A webhook in events, with the host of its address alone: the path may be a secret of the receiver. */
export function endpointData({ id, format, url, events }: Endpoint): EventData<'webhook.created'>['webhook'] {
  return { id, format, host: url === '' ? null : new URL(url).host, events }
}
