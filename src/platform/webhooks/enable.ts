/** Enables a webhook that was disabled after failures, or by its receiver. */
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdOwner } from '../auth/hold-caller.ts'
import type { Principal } from '../auth/principal.ts'
import type { WebhookRecord } from './output.ts'
import { ofTeam, readWebhook } from './read.ts'

/**
 * Enables the webhook; events while it was disabled are not sent.
 * @throws AppError `webhook_not_found`; as `holdOwner` does.
 */
export async function enableWebhook(
  { store }: { store: Store },
  principal: Principal,
  id: string,
): Promise<WebhookRecord> {
  const { teamId } = principal
  const condition = ofTeam(teamId, id)
  return store.transact(async (tx) => {
    await holdOwner(tx, principal, 'enable a webhook')
    await tx
      .update(webhooks)
      .set({ enabled: true, disabledReason: null, failingSinceMs: null })
      .where(condition)
    return readWebhook(tx, teamId, id)
  })
}
