/** The body of the message about an event, in the format of its webhook. */
import { sql } from 'drizzle-orm'
import { events } from '../../../stores/db/schema/events.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import { type WebhookFormat, webhooks } from '../../../stores/db/schema/webhooks.ts'
import type { DeliveredEvent } from '../delivered-event.ts'
import { discordBody } from '../formats/discord.ts'
import { noticeOf } from '../formats/notice.ts'
import { plainText } from '../formats/plain-text.ts'
import { slackBody } from '../formats/slack.ts'

const isForPeople = sql`${webhooks}.format <> 'standard'`

/** For messages to people: the columns of an event in a query that has its webhook, too. */
export const columnsForPeople = {
  actor: sql<string | null>`case when ${isForPeople} then (
    select ${users}.name from ${users} where ${users}.id = coalesce(${events}.actor_id,
      case when ${events}.type in ('deployment.ready', 'deployment.error')
        then ${events}.data #>> '{deployment,created_by}' end)) end`,
}

/**
 * The body in the webhook's format, the same at each attempt: JSON, or the text of a mail. `apiUrl` is where
 * links for people lead; without it there are none.
 */
export function deliveryBody(
  format: WebhookFormat,
  event: DeliveredEvent,
  apiUrl: string | undefined,
): string {
  switch (format) {
    case 'standard': {
      const { eventId, type, createdMs, team, data } = event
      return JSON.stringify({ id: eventId, type, created_ms: createdMs, team, data })
    }
    case 'slack':
      return slackBody(noticeOf(event, apiUrl))
    case 'discord':
      return discordBody(noticeOf(event, apiUrl), event)
    case 'mail':
      return plainText(noticeOf(event, apiUrl))
  }
}
