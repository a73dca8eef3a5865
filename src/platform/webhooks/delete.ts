/** Deletes a webhook. */
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdOwner } from '../auth/hold-caller.ts'
import type { Principal } from '../auth/principal.ts'
import { ofTeam, webhookNotFound } from './read.ts'

/**
 * Deletes the webhook with its deliveries; pending ones are never sent.
 * @throws AppError `webhook_not_found`; as `holdOwner` does.
 */
export async function deleteWebhook(
  { store }: { store: Store },
  principal: Principal,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const condition = ofTeam(principal.teamId, id)
  await store.transact(async (tx) => {
    await holdOwner(tx, principal, 'delete a webhook')
    const [gone] = await tx.delete(webhooks).where(condition).returning({ id: webhooks.id })
    if (!gone) throw webhookNotFound()
  })
  return { id, deleted: true }
}
