/** Reads webhooks: one with its latest deliveries, or a page of them. */
import { and, desc, eq, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterCursor, type Page, pageOf } from '../../stores/db/page.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { deliveries, webhooks } from '../../stores/db/schema/webhooks.ts'
import { idList, type Scope } from '../callers/scope.ts'
import type { DeliveryRecord, WebhookRecord } from './webhook-output.ts'

const latest = 20

/**
 * The remaining projects of those that are seen, all with null: a deleted one has no name. Each is looked up
 * by itself, whatever the planner expects. Columns are qualified by hand, since Drizzle omits the table in a
 * query of one table.
 */
export const namesOf = (seen: readonly string[] | null) => sql<
  string[] | null
>`case when ${webhooks}.projects is not null then (
  select coalesce(json_agg(name order by name) filter (where name is not null), '[]')
  from (
    select (
      select ${projects}.name from ${projects}
      where ${projects}.id = chosen.id and ${projects}.team_id = ${webhooks}.team_id) as name
    from jsonb_array_elements_text(${webhooks}.projects) as chosen (id)
    ${seen === null ? sql`` : sql`where chosen.id = any(${idList(seen)})`}
  ) as named) end`

const webhookColumns = {
  id: webhooks.id,
  format: webhooks.format,
  url: webhooks.url,
  events: webhooks.events,
  projects: namesOf(null),
  enabled: webhooks.enabled,
  disabled_reason: webhooks.disabledReason,
  failing_since_ms: webhooks.failingSinceMs,
  created_ms: webhooks.createdMs,
  last_delivery_ms: webhooks.lastDeliveryMs,
}

export const deliveryColumns = {
  id: deliveries.id,
  event: deliveries.eventId,
  status: deliveries.status,
  http_status: deliveries.httpStatus,
  attempts: deliveries.attempts,
  duration_ms: deliveries.durationMs,
  next_attempt_ms: sql<
    number | null
  >`case when ${deliveries.status} = 'pending' then ${deliveries.dueMs} end`.mapWith(Number),
  sent_to: sql<number | null>`jsonb_array_length(${deliveries.sentTo})`,
  error: deliveries.error,
  created_ms: deliveries.createdMs,
}

/**
 * The condition for the team's webhook of this id.
 * @throws AppError `webhook_not_found` for a malformed one.
 */
export function ofTeam(teamId: string, id: string) {
  if (!isId('webhook', id)) throw webhookNotFound()
  return and(eq(webhooks.id, id), eq(webhooks.teamId, teamId))
}

/** The error for a webhook that the team doesn't have, whether or not it exists. */
export function webhookNotFound(): AppError {
  return new AppError('webhook_not_found', 'The team has no such webhook.')
}

/** @throws AppError `webhook_not_found`. */
export async function readWebhook(db: Database, teamId: string, id: string): Promise<WebhookRecord> {
  const [webhook] = await db.select(webhookColumns).from(webhooks).where(ofTeam(teamId, id))
  if (!webhook) throw webhookNotFound()
  return webhook
}

/** The webhook with its latest 20 deliveries, newest first. @throws AppError `webhook_not_found`. */
export async function getWebhook(
  db: Database,
  teamId: string,
  id: string,
): Promise<WebhookRecord & { deliveries: DeliveryRecord[] }> {
  const webhook = await readWebhook(db, teamId, id)
  const rows = await db
    .select(deliveryColumns)
    .from(deliveries)
    .where(eq(deliveries.webhookId, id))
    .orderBy(desc(deliveries.createdMs), desc(deliveries.id))
    .limit(latest)
  return { ...webhook, deliveries: rows }
}

/** The team's webhooks, newest first; none for a limited member. @throws AppError `invalid_cursor`. */
export async function listWebhooks(
  db: Database,
  { teamId, projects: seen }: Scope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<WebhookRecord>> {
  const rows = await db
    .select(webhookColumns)
    .from(webhooks)
    .where(
      and(
        eq(webhooks.teamId, teamId),
        seen === null ? undefined : sql`false`,
        afterCursor('webhook', cursor, webhooks.createdMs, webhooks.id),
      ),
    )
    .orderBy(desc(webhooks.createdMs), desc(webhooks.id))
    .limit(limit + 1)
  return pageOf(rows, limit, (row) => [row.created_ms, row.id])
}
