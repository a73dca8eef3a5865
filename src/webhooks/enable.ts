/** Enables a webhook again that failed for too long, or whose receiver said that it is gone. */
import { webhooks } from '../db/schema/webhooks.ts'
import type { Store } from '../db/store.ts'
import { ofTeam, readWebhook, type WebhookRecord } from './read.ts'

/**
 * From now on the webhook gets events again. What happened while it was disabled is not sent.
 * @throws AppError `webhook_not_found`.
 */
export async function enableWebhook(
  { store }: { store: Store },
  teamId: string,
  id: string,
): Promise<WebhookRecord> {
  await store.db
    .update(webhooks)
    .set({ enabled: true, disabledReason: null, failingSinceMs: null })
    .where(ofTeam(teamId, id))
  return readWebhook(store.db, teamId, id)
}
