/** Deletes a webhook. */
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import { ofTeam, webhookNotFound } from './read-webhook.ts'
import { endpointColumns, endpointData } from './webhook-event.ts'

/**
 * Deletes the webhook with its deliveries; pending ones are never sent.
 * @throws AppError `webhook_not_found`; as `holdOwner` does.
 */
export async function deleteWebhook(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const { teamId } = actor.principal
  const condition = ofTeam(teamId, id)
  await store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'delete a webhook')
    const [gone] = await tx.delete(webhooks).where(condition).returning(endpointColumns)
    if (!gone) throw webhookNotFound()
    await recordEvents(tx, { origin: originOf(actor), nowMs: nowMs() }, [
      { teamId, type: 'webhook.deleted', data: { webhook: endpointData(gone) } },
    ])
  })
  return { id, deleted: true }
}
