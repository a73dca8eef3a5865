/** Sends a delivered or failed event again. */
import { and, eq, ne } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { deliveries, webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { deliveryQueue, recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import { deliveryColumns, ofTeam, webhookNotFound } from './read-webhook.ts'
import { endpointColumns, endpointData } from './webhook-event.ts'
import type { DeliveryRecord } from './webhook-output.ts'

/**
 * Queues the delivery again, with the same event id, keeping its earlier attempts.
 * @throws AppError `webhook_not_found`, `webhook_disabled`, `delivery_not_found`, `delivery_pending`; as
 * `holdOwner` does.
 */
export async function redeliver(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  { webhook: webhookId, delivery: id }: { webhook: string; delivery: string },
): Promise<DeliveryRecord> {
  const { teamId } = actor.principal
  const condition = ofTeam(teamId, webhookId)
  return store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'send an event again')
    const [webhook] = await tx
      .select({ ...endpointColumns, enabled: webhooks.enabled })
      .from(webhooks)
      .where(condition)
      .for('share')
    if (!webhook) throw webhookNotFound()
    const known = and(eq(deliveries.id, id), eq(deliveries.webhookId, webhookId))
    const [there] = await tx.select({ id: deliveries.id }).from(deliveries).where(known)
    if (!there) throw new AppError('delivery_not_found', 'The webhook has no such delivery.')
    if (!webhook.enabled) throw new AppError('webhook_disabled', 'The webhook is disabled. Enable it first.')
    const [queued] = await tx
      .update(deliveries)
      .set({
        teamId,
        status: 'pending',
        attempts: 0,
        dueMs: nowMs(),
        leaseMs: 0,
        httpStatus: null,
        durationMs: null,
        sentTo: null,
        error: null,
      })
      .where(and(known, ne(deliveries.status, 'pending')))
      .returning(deliveryColumns)
    if (!queued) throw new AppError('delivery_pending', 'It is queued already: see its next_attempt_ms.')
    tx.announce({ kind: 'work', id: deliveryQueue })
    const delivery = { id, event: queued.event }
    await recordEvents(tx, { origin: originOf(actor), nowMs: nowMs() }, [
      { teamId, type: 'webhook.redelivered', data: { webhook: endpointData(webhook), delivery } },
    ])
    return queued
  })
}
