/** Takes deliveries that are due, some of each webhook, so that no backlog hides what waits behind it. */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { events } from '../../db/schema/events.ts'
import { teams } from '../../db/schema/teams.ts'
import { deliveries, webhooks } from '../../db/schema/webhooks.ts'

/** Longer than an attempt takes together with recording it: only of a sender that died does it run out. */
const attemptLeaseMs = 30_000

/** How many requests of a node one webhook has at a time: many while it takes them, few as long as nobody knows or it fails. */
const atOnce = { healthy: 16, other: 2 }

export type Job = {
  id: string
  /** With this one; who records it must still be the last that took it. */
  attempts: number
  webhookId: string
  url: string
  sealedSecret: string
  eventId: string
  type: string
  data: Record<string, unknown>
  createdMs: number
  team: string
}

type Options = {
  limit: number
  /** The webhook behind which to begin, in the order of their ids; the first ones come with ''. */
  after: string
  /** How many requests each webhook has under way on this node. */
  underWay: ReadonlyMap<string, number>
  nowMs: number
}

/**
 * Takes at most `limit` deliveries for the length of a lease and counts the attempt. What is another's, and what is for
 * a webhook that is disabled or has all it may have, is left.
 */
export async function claimDeliveries(
  db: Database,
  { limit, after, underWay, nowMs }: Options,
): Promise<Job[]> {
  const counts = JSON.stringify(Object.fromEntries(underWay))
  // One step in the index for each webhook that has anything pending, however much that is; and no more steps than it
  // takes to fill the limit.
  const due = sql`array(
    with recursive hooks (id) as (
      select min(webhook_id) from ${deliveries} where status = 'pending' and webhook_id > ${after}::text
      union all
      select (select min(webhook_id) from ${deliveries} where status = 'pending' and webhook_id > hooks.id)
      from hooks where hooks.id is not null
    )
    select waiting.id from hooks
    -- The offset keeps the order of the hooks, and their number to what the limit takes.
    cross join lateral (select * from ${webhooks} where webhooks.id = hooks.id and enabled offset 0) as hook
    cross join lateral (
      select id from ${deliveries}
      where webhook_id = hooks.id and status = 'pending' and due_ms <= ${nowMs}::bigint
        and lease_ms <= ${nowMs}::bigint
      order by due_ms
      limit greatest(0, case when hook.failing_since_ms is null and hook.last_delivery_ms is not null
        then ${atOnce.healthy}::int else ${atOnce.other}::int end - coalesce((${counts}::jsonb ->> hooks.id)::int, 0))
      for update skip locked
    ) as waiting
    limit ${limit}::int)`
  return (
    db
      .update(deliveries)
      .set({ leaseMs: nowMs + attemptLeaseMs, attempts: sql`${deliveries.attempts} + 1` })
      .from(webhooks)
      .innerJoin(teams, eq(teams.id, webhooks.teamId))
      // A join of what is updated from can't be on what is updated.
      .innerJoin(events, sql`true`)
      .where(
        and(
          sql`${deliveries.id} = any(${due})`,
          eq(webhooks.id, deliveries.webhookId),
          eq(events.id, deliveries.eventId),
        ),
      )
      .returning({
        id: deliveries.id,
        attempts: deliveries.attempts,
        webhookId: webhooks.id,
        url: webhooks.url,
        sealedSecret: webhooks.sealedSecret,
        eventId: events.id,
        type: events.type,
        data: events.data,
        createdMs: events.createdMs,
        team: teams.slug,
      })
  )
}
