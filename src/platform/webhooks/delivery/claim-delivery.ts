/** Claims due deliveries, fairly among teams and webhooks, so that no backlog starves others. */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { events } from '../../../stores/db/schema/events.ts'
import { teams } from '../../../stores/db/schema/teams.ts'
import { deliveries, type WebhookFormat, webhooks } from '../../../stores/db/schema/webhooks.ts'
import { isLeased } from '../../../stores/queue/lease.ts'
import type { DeliveredEvent } from '../delivered-event.ts'
import { columnsForPeople } from './body.ts'
import type { UnderWay } from './under-way.ts'

/** Longer than an attempt and recording it: it expires only if the sender died. */
export const attemptLeaseMs = 30_000

/**
 * Concurrent requests of a node to one webhook: many while it responds quickly, few while it is new or fails.
 */
const atOnce = { healthy: 16, slow: 4, other: 2 }

export type Job = DeliveredEvent & {
  id: string
  /** The attempt number; a result is recorded only for the latest claim. */
  attempts: number
  webhookId: string
  /** The webhook's team as queued; '' for deliveries queued before that column. */
  teamId: string
  format: WebhookFormat
  url: string
  /** '' for mails, which go to the mail server. */
  host: string
  sealedSecret: string
  /** The project of the event. */
  projectId: string | null
  /** The ids of the users who got the mail in an earlier attempt. */
  sentTo: string[] | null
}

type Options = {
  limit: number
  /** How many concurrent requests a team, and a host, may have on this node, including those claimed now. */
  share: number
  /** The team after which to begin, by id; undefined: with the first one. */
  after?: string | undefined
  underWay: UnderWay
  nowMs: number
}

/** The origin of a webhook: scheme to path. */
const host = sql<string>`coalesce(lower(substring(${sql.raw('url')} from '://([^/?]+)')), '')`

/**
 * Claims at most `limit` deliveries for the length of a lease and counts the attempt; at most half of them
 * are one team's, and webhooks with the fewest running requests come first. Deliveries of others, of disabled
 * webhooks, and of a team, host or webhook at its limit, are left.
 */
export async function claimDeliveries(
  db: Database,
  { limit, share, after, underWay, nowMs }: Options,
): Promise<Job[]> {
  const pending = sql`from ${deliveries} where status = 'pending'`
  const first = after === undefined ? pending : sql`${pending} and team_id > ${after}::text`
  const counted = (counts: Map<string, number>) => sql`${JSON.stringify(Object.fromEntries(counts))}::jsonb`
  // One step in the index for each team with pending deliveries and, if it may have more, for each of its
  // webhooks, however many deliveries those have.
  const due = sql`array(
    with recursive now as materialized (
      select ${counted(underWay.byTeam)} as by_team, ${counted(underWay.byHost)} as by_host,
        ${counted(underWay.byWebhook)} as by_webhook, ${JSON.stringify(underWay.slow)}::jsonb as slow
    ), due_teams (id) as (
      select min(team_id) ${first}
      union all
      select (select min(team_id) ${pending} and team_id > due_teams.id) from due_teams
      where due_teams.id is not null
    )
    select taken.id from now cross join due_teams cross join lateral (
      select waiting.id from (
        with recursive hooks (id) as (
          select min(webhook_id) ${pending} and team_id = due_teams.id
          union all
          select (select min(webhook_id) ${pending} and team_id = due_teams.id and webhook_id > hooks.id)
          from hooks where hooks.id is not null
        )
        select hook.id, least(${share}::int - coalesce((now.by_host ->> hook.host)::int, 0), case
            when hook.failing_since_ms is not null or hook.last_delivery_ms is null then ${atOnce.other}::int
            when hook.slow or now.slow ? hook.id then ${atOnce.slow}::int
            else ${atOnce.healthy}::int end - hook.under_way) as room
        from hooks
        -- The offset keeps the look at each by its id.
        cross join lateral (
          select *, ${host} as host, coalesce((now.by_webhook ->> webhooks.id)::int, 0) as under_way
          from ${webhooks} where webhooks.id = hooks.id and enabled offset 0
        ) as hook
        order by hook.under_way, random()
      ) as hook
      cross join lateral (
        select id ${pending} and team_id = due_teams.id and webhook_id = hook.id
          and due_ms <= ${nowMs}::bigint
          and not ${isLeased(sql`lease_ms`, { forMs: attemptLeaseMs, nowMs })}
        order by due_ms
        limit greatest(0, hook.room)
        for update skip locked
      ) as waiting
      limit greatest(0, least(${Math.ceil(limit / 2)}::int,
        ${share}::int - coalesce((now.by_team ->> due_teams.id)::int, 0)))
    ) as taken
    limit ${limit}::int)`
  return (
    db
      .update(deliveries)
      .set({ leaseMs: nowMs + attemptLeaseMs, attempts: sql`${deliveries.attempts} + 1` })
      .from(webhooks)
      .innerJoin(teams, eq(teams.id, webhooks.teamId))
      // UPDATE ... FROM can't join on the updated table.
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
        teamId: deliveries.teamId,
        format: webhooks.format,
        url: webhooks.url,
        host,
        sealedSecret: webhooks.sealedSecret,
        eventId: events.id,
        type: events.type,
        data: events.data,
        createdMs: events.createdMs,
        team: teams.slug,
        projectId: events.projectId,
        sentTo: deliveries.sentTo,
        ...columnsForPeople,
      })
  )
}
