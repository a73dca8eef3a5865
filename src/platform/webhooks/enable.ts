/** Enables a webhook that was disabled after failures, or by its receiver. */
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import { ofTeam, readWebhook, webhookNotFound } from './read-webhook.ts'
import { endpointColumns, endpointData } from './webhook-event.ts'
import type { WebhookRecord } from './webhook-output.ts'

/**
 * Enables the webhook; events while it was disabled are not sent.
 * @throws AppError `webhook_not_found`; as `holdOwner` does.
 */
export async function enableWebhook(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  id: string,
): Promise<WebhookRecord> {
  const { teamId } = actor.principal
  const condition = ofTeam(teamId, id)
  return store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'enable a webhook')
    const [before] = await tx
      .select({ ...endpointColumns, enabled: webhooks.enabled, reason: webhooks.disabledReason })
      .from(webhooks)
      .where(condition)
      .for('no key update')
    if (!before) throw webhookNotFound()
    await tx
      .update(webhooks)
      .set({ enabled: true, disabledReason: null, failingSinceMs: null })
      .where(condition)
    if (!before.enabled) {
      const changes = [changeOf('enabled', false, true), changeOf('disabled_reason', before.reason, null)]
      await recordEvents(tx, { origin: originOf(actor), nowMs: nowMs() }, [
        { teamId, type: 'webhook.updated', data: { webhook: endpointData(before), changes } },
      ])
    }
    return readWebhook(tx, teamId, id)
  })
}
