/** Limits how many deliveries of one webhook are pending. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { deliveries } from '../../../stores/db/schema/webhooks.ts'
import { isLeased } from '../../../stores/queue/lease.ts'
import { attemptLeaseMs } from './claim-delivery.ts'

/**
 * The most pending deliveries of a webhook: one in 43 seconds for the five days after which a failing webhook
 * is disabled. With the limit of webhooks this bounds the team, too.
 */
const maxWaiting = 10_000

/** Per webhook and statement. */
const perWebhook = 5_000

/** Webhooks per statement. */
const perRound = 20

/**
 * Fails the oldest pending deliveries of a webhook beyond `most`, except those being sent at `nowMs`. Bounded
 * in a step; returns how many were ended, 0 when no webhook has too many.
 */
export async function giveUpOldest(db: Database, nowMs: number, most = maxWaiting): Promise<number> {
  const pending = sql`from ${deliveries} where status = 'pending'`
  const ofHook = sql`${pending} and team_id = hooks.team_id and webhook_id = hooks.webhook_id`
  const oldest = sql`array(
    with recursive hooks as (
      (select team_id, webhook_id ${pending} order by team_id, webhook_id limit 1)
      union all
      -- One step in the index for each webhook for which anything waits.
      select next.team_id, next.webhook_id from hooks cross join lateral (
        select team_id, webhook_id ${pending} and (team_id, webhook_id) > (hooks.team_id, hooks.webhook_id)
        order by team_id, webhook_id limit 1) as next
    ), overfull as (
      select * from (
        select team_id, webhook_id, (
          select count(*) from (
            select ${ofHook} offset ${most}::int limit ${perWebhook}::int) as beyond) as beyond
        from hooks) as counted
      where beyond > 0 limit ${perRound}::int
    )
    select each.id from overfull as hooks cross join lateral (
      -- Sorted here, which is seldom, and not by an index, which each delivery would have to be written to.
      select id ${ofHook} and not ${isLeased(sql`lease_ms`, { forMs: attemptLeaseMs, nowMs })}
      order by created_ms, id limit hooks.beyond for update skip locked) as each)`
  const ended = await db
    .update(deliveries)
    .set({
      status: 'failed',
      error: `More than ${most} deliveries were pending for the webhook; the oldest were dropped.`,
    })
    .where(sql`${deliveries.id} = any(${oldest})`)
    .returning({ id: deliveries.id })
  return ended.length
}
