/** Deletes a webhook. */
import { webhooks } from '../db/schema/webhooks.ts'
import type { Store } from '../db/store.ts'
import { ofTeam, webhookNotFound } from './read.ts'

/** Removes the webhook with its deliveries: what was still to be sent never is. @throws AppError `webhook_not_found`. */
export async function deleteWebhook(
  { store }: { store: Store },
  teamId: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const [gone] = await store.db.delete(webhooks).where(ofTeam(teamId, id)).returning({ id: webhooks.id })
  if (!gone) throw webhookNotFound()
  return { id, deleted: true }
}
