/** Sends a webhook a test event. */
import { and, desc, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { events } from '../../stores/db/schema/events.ts'
import { deliveries, webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { pingData } from '../../stores/events/ping-data.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdOwner } from '../callers/hold-caller.ts'
import { deliveryColumns, ofTeam, webhookNotFound } from './read-webhook.ts'
import type { DeliveryRecord } from './webhook-output.ts'

/**
 * Queues a `webhook.ping` for the webhook, one at a time.
 * @throws AppError `webhook_not_found`, `webhook_disabled`, `delivery_pending`; as `holdOwner` does.
 */
export async function pingWebhook(
  { store, nowMs: now }: { store: Store; nowMs: () => number },
  actor: Actor,
  id: string,
): Promise<DeliveryRecord> {
  const { teamId } = actor.principal
  const condition = ofTeam(teamId, id)
  return store.transact(async (tx) => {
    // Also serializes test events: two at once would both find none pending.
    await holdOwner(tx, actor.principal, 'send a test event')
    const [webhook] = await tx
      .select({ url: webhooks.url, enabled: webhooks.enabled })
      .from(webhooks)
      .where(condition)
      .for('share')
    if (!webhook) throw webhookNotFound()
    const { url, enabled } = webhook
    if (!enabled) throw new AppError('webhook_disabled', 'The webhook is disabled. Enable it first.')
    if (await pendingPing(tx, teamId, id)) {
      throw new AppError('delivery_pending', 'A webhook.ping is queued already: see its next_attempt_ms.')
    }
    await recordEvents(tx, { origin: originOf(actor), nowMs: now() }, [
      { teamId, type: 'webhook.ping', webhookId: id, data: pingData(id, url) },
    ])
    const queued = await pendingPing(tx, teamId, id)
    if (!queued) throw new Error('The ping was not queued.')
    return queued
  })
}

async function pendingPing(tx: Database, teamId: string, id: string): Promise<DeliveryRecord | undefined> {
  const [ping] = await tx
    .select(deliveryColumns)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(
      and(
        eq(deliveries.teamId, teamId),
        eq(deliveries.webhookId, id),
        eq(deliveries.status, 'pending'),
        eq(events.type, 'webhook.ping'),
      ),
    )
    .orderBy(desc(deliveries.createdMs))
    .limit(1)
  return ping
}
