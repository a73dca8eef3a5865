/** The event log, written in the transaction of the change. */
import { sql } from 'drizzle-orm'
import { newId } from '../../lib/ids.ts'
import type { LoggedType } from '../../lib/names/event-types.ts'
import { events } from '../db/schema/events.ts'
import { deliveries, webhooks } from '../db/schema/webhooks.ts'
import type { Transaction } from '../db/transaction.ts'
import type { EventData } from './types.ts'

/** The queue that is notified when an event has to be delivered. */
export const deliveryQueue = 'deliveries'

/** The actor, and the request. */
export type Origin = { userId: string; keyId: string | null; address: string; requestId: string }

/** The events of a team; `webhookId` delivers to that webhook only, whatever its filters. */
export type NewEvent = {
  [T in LoggedType]: {
    teamId: string
    type: T
    data: EventData<T>
    projectId?: string
    deploymentId?: string
    webhookId?: string
  }
}[LoggedType]

type By = {
  /** Null for the service itself. */
  origin: Origin | null
  nowMs: number
}

/**
 * Adds events to the logs of the teams, and deliveries for each matching webhook that isn't being deleted.
 * People who read that a deployment went live get no other message that it is ready. One statement, however
 * many they are.
 */
export async function recordEvents(
  tx: Transaction,
  { origin, nowMs }: By,
  happened: NewEvent[],
): Promise<void> {
  if (happened.length === 0) return
  // Sorted, so that the log has simultaneous events in this order.
  const ids = happened.map(() => newId('event', nowMs)).sort()
  const rows = happened.map(({ teamId, type, data, projectId, deploymentId, webhookId }, index) => ({
    id: ids[index],
    team_id: teamId,
    type,
    data,
    project_id: projectId,
    deployment_id: deploymentId,
    webhook_id: webhookId,
  }))
  const happenedNow = tx.$with('happened', {}).as(sql`
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as each (
      id text, team_id text, type text, data jsonb, project_id text, deployment_id text, webhook_id text)`)
  const logged = tx.$with('logged', {}).as(sql`
    insert into ${events}
      (id, team_id, type, data, project_id, deployment_id, actor_id, key_id, address, request_id, created_ms)
    select id, team_id, type, data, project_id, deployment_id, ${origin?.userId ?? null}::text,
      ${origin?.keyId ?? null}::text, ${origin?.address ?? null}::text, ${origin?.requestId ?? null}::text,
      ${nowMs}::bigint
    from happened`)
  const subscribed = tx.$with('subscribed', {}).as(sql`
    select happened.id as event_id, webhooks.id as webhook_id, webhooks.team_id
    from happened join ${webhooks} on webhooks.team_id = happened.team_id and case
      when happened.webhook_id is not null then webhooks.id = happened.webhook_id
      else webhooks.enabled and webhooks.events ? happened.type
        and (webhooks.projects is null or webhooks.projects ? happened.project_id)
        and not (webhooks.format <> 'standard' and happened.type = 'deployment.ready'
          and webhooks.events ? 'deployment.promoted' and exists (select from happened as other
            where other.type = 'deployment.promoted' and other.deployment_id = happened.deployment_id))
      end
    for key share of webhooks`)
  const queued = tx.$with('queued', { id: sql<string>`id`.as('id') }).as(sql`
    insert into ${deliveries} (id, team_id, webhook_id, event_id, status, due_ms, created_ms)
    select 'dlv_' || md5(event_id || ' ' || webhook_id), team_id, webhook_id, event_id, 'pending',
      ${nowMs}::bigint, ${nowMs}::bigint
    from subscribed
    returning id`)
  const made = await tx
    .with(happenedNow, logged, subscribed, queued)
    .select({ id: queued.id })
    .from(queued)
    .prepare('record_events')
    .execute()
  for (const id of new Set(happened.map(({ teamId }) => teamId))) tx.announce({ kind: 'event', id })
  if (made.length > 0) tx.announce({ kind: 'work', id: deliveryQueue })
}
