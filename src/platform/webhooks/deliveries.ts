/** The deliveries of a webhook by pages, newest first. */
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../stores/db/database.ts'
import { afterCursor, encodeCursor, type Page } from '../../stores/db/page.ts'
import { events } from '../../stores/db/schema/events.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import { deliveries, webhooks } from '../../stores/db/schema/webhooks.ts'
import { columnsForPeople, deliveryBody } from './delivery/body.ts'
import { deliveryColumns, readWebhook } from './read-webhook.ts'
import type { ListDeliveries } from './webhook-input.ts'
import { deliverySchema } from './webhook-output.ts'

/** A delivery with its request; only the status and the time of the response are stored. */
export const deliveryDetailsSchema = deliverySchema.extend({
  type: z.string().meta({ description: 'Of the event' }),
  body: z.string().meta({ description: 'The body of the request, or the text of the mail' }),
})

type DeliveryDetails = z.infer<typeof deliveryDetailsSchema>

type Deps = { db: Database; apiUrl: string }

/** How many deliveries are examined for those in one state. */
const examined = 500

/**
 * The deliveries of the team's webhook, with bodies whose links lead to `apiUrl`. With `state`, a page may
 * have fewer than `limit`, even none, and still a next one.
 * @throws AppError `webhook_not_found`, `invalid_cursor`.
 */
export async function listDeliveries(
  { db, apiUrl }: Deps,
  teamId: string,
  webhookId: string,
  { limit, cursor, state }: ListDeliveries,
): Promise<Page<DeliveryDetails>> {
  await readWebhook(db, teamId, webhookId)
  const count = state === undefined ? limit : examined
  const rows = await newest(db, webhookId, cursor, count + 1)
  const within = rows.slice(0, count)
  const matching = within.filter(({ status }) => state === undefined || status === state)
  const chosen = matching.slice(0, limit)
  const last = matching.length > limit ? chosen.at(-1) : within.at(-1)
  const isLast = matching.length <= limit && rows.length <= count
  return {
    data: await readDetails(
      { db, apiUrl },
      chosen.map(({ id }) => id),
    ),
    next_cursor: isLast || !last ? null : encodeCursor([last.createdMs, last.id]),
  }
}

const newestFirst = [desc(deliveries.createdMs), desc(deliveries.id)]

function newest(db: Database, webhookId: string, cursor: string | undefined, count: number) {
  return db
    .select({ id: deliveries.id, createdMs: deliveries.createdMs, status: deliveries.status })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        afterCursor('delivery', cursor, deliveries.createdMs, deliveries.id),
      ),
    )
    .orderBy(...newestFirst)
    .limit(count)
}

async function readDetails({ db, apiUrl }: Deps, ids: string[]): Promise<DeliveryDetails[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({
      delivery: deliveryColumns,
      format: webhooks.format,
      event: {
        eventId: events.id,
        type: events.type,
        data: events.data,
        createdMs: events.createdMs,
        team: teams.slug,
        ...columnsForPeople,
      },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(teams, eq(teams.id, events.teamId))
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .where(inArray(deliveries.id, ids))
    .orderBy(...newestFirst)
  return rows.map(({ delivery, format, event }) => ({
    ...delivery,
    type: event.type,
    body: deliveryBody(format, event, apiUrl),
  }))
}
