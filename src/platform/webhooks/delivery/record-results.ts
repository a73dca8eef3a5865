/** Records the results of attempts, in batches, with their effect on webhooks. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { deliveries, webhooks } from '../../../stores/db/schema/webhooks.ts'
import type { Outcome } from './outcome.ts'
import { slowResponseMs } from './under-way.ts'

export type Result = Outcome & { id: string; attempts: number; webhookId: string; durationMs: number }

/** A webhook that has only failed for this long is disabled. */
const maxFailingMs = 5 * 24 * 60 * 60 * 1000

const isSlow = sql`results.duration_ms > ${sql.raw(String(slowResponseMs))}`

/** The precision of a webhook's last delivery: a busy one isn't written each time. */
const lastDeliveryStepMs = 1_000

/**
 * Records results at `nowMs`, in one statement: all or none. A result counts only if nobody claimed the
 * delivery since. Other pending deliveries of a webhook that this disables fail with it, so that enabling it
 * later sends no old events.
 */
export async function recordResults(db: Database, results: Result[], nowMs: number): Promise<void> {
  const rows = results.map((result) => ({
    id: result.id,
    attempts: result.attempts,
    webhook_id: result.webhookId,
    status: result.status,
    due_ms: result.dueMs,
    http_status: result.httpStatus,
    duration_ms: result.durationMs,
    error: result.error,
    is_gone: result.isGone,
    is_taken: result.isTaken,
    sent_to: result.sentTo,
  }))
  await db.execute(sql`
    with results as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as each (
        id text, attempts int, webhook_id text, status text, due_ms bigint, http_status int, duration_ms int,
        error text, is_gone boolean, is_taken boolean, sent_to jsonb)
    ), locked as materialized (
      -- Before their deliveries and by id, so that two nodes never wait for each other.
      select id from ${webhooks} where id = any(array(select webhook_id from results)) and (
        failing_since_ms is not null or coalesce(last_delivery_ms, 0) <= ${nowMs - lastDeliveryStepMs}::bigint
        or exists (select from results where webhook_id = webhooks.id and status <> 'delivered')
        or slow <> exists (select from results where webhook_id = webhooks.id and ${isSlow}))
      order by id for no key update
    ), written as (
      update ${deliveries} set status = results.status, due_ms = results.due_ms, lease_ms = 0,
        http_status = results.http_status, duration_ms = results.duration_ms, error = results.error,
        sent_to = results.sent_to
      from results
      where (select count(*) from locked) is not null and deliveries.id = results.id
        and deliveries.status = 'pending' and deliveries.attempts = results.attempts
      returning deliveries.webhook_id, results.is_taken, results.is_gone, ${isSlow} as is_slow
    ), decided as (
      select webhook_id as id, bool_or(is_taken) as is_taken, bool_or(is_gone) as is_gone,
        bool_or(is_slow) as is_slow
      from written group by webhook_id
    ), judged as (
      select decided.*, webhooks.team_id,
        is_gone or (not is_taken and failing_since_ms <= ${nowMs - maxFailingMs}::bigint) is true as is_over
      from decided join locked on locked.id = decided.id join ${webhooks} on webhooks.id = decided.id
    ), changed as (
      update ${webhooks} set
        failing_since_ms = case when is_taken then null else coalesce(failing_since_ms, ${nowMs}::bigint) end,
        last_delivery_ms = case when is_taken then ${nowMs}::bigint else last_delivery_ms end,
        slow = is_slow,
        enabled = enabled and not is_over,
        disabled_reason = case when not is_over then disabled_reason
          when is_gone then 'gone' else 'failing' end
      from judged where webhooks.id = judged.id
    )
    update ${deliveries} set status = 'failed', error = 'The webhook was disabled.'
    from (select id, unnest(array['', team_id]) as team_id from judged where is_over) as over
    where deliveries.team_id = over.team_id and webhook_id = over.id and status = 'pending'
      and deliveries.id not in (select id from results)`)
}
