/** The webhooks of the OpenAPI document: the request for each type of event. */
import { z } from 'zod'
import { idSchema } from '../../../lib/ids.ts'
import { type EventType, eventTypes } from '../../../lib/names/event-types.ts'
import { timeMs } from '../../../stores/db/record-fields.ts'
import { eventData, eventSubjects } from '../../../stores/events/types.ts'
import { eventExample } from './event-examples.ts'

const schemas = '#/components/schemas/'

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** `domain` becomes `EventDomain`. */
const subjectName = (subject: string) => `Event${capital(subject)}`

/** `domain.verified` becomes `DomainVerifiedEvent`. */
const bodyName = (type: EventType) => `${type.split('.').map(capital).join('')}Event`

/** The schemas of the bodies and of their data, by component name. */
export function webhookSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries(eventSubjects)) registry.add(schema, { id: subjectName(name) })
  for (const type of eventTypes) registry.add(bodyOf(type), { id: bodyName(type) })
  const { schemas: made } = z.toJSONSchema(registry, { uri: (id) => `${schemas}${id}` })
  return Object.fromEntries(
    Object.entries(made).map(([name, { $schema: _dialect, $id: _place, ...schema }]) => [name, schema]),
  )
}

function bodyOf(type: EventType) {
  return z.object({
    id: idSchema('event'),
    type: z.literal(type),
    created_ms: timeMs,
    team: z.string().meta({ description: "The team's slug" }),
    data: eventData[type],
  })
}

/** The headers of a delivery (Standard Webhooks), by component name. */
export const webhookParameters = {
  WebhookId: header('webhook-id', 'Identifies the message; the same in each attempt'),
  WebhookTimestamp: header('webhook-timestamp', 'When the attempt was made, in seconds of Unix time'),
  WebhookSignature: header(
    'webhook-signature',
    'v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body ' +
      'with the secret of the webhook, in Base64',
  ),
}

function header(name: string, description: string) {
  return { name, in: 'header' as const, required: true, description, schema: { type: 'string' as const } }
}

/** The entry of each type of event, by name. */
export function webhookItems() {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]))
}

function operationOf(type: EventType) {
  const { description: summary = type } = eventData[type].meta() ?? {}
  return {
    operationId: `event-${type.replace('.', '-')}`,
    summary,
    tags: ['Webhooks'],
    // The signature is the authentication.
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: `${schemas}${bodyName(type)}` }, example: eventExample(type) },
      },
    },
    responses: {
      '2XX': {
        description: 'Delivered, if the response comes within 15 seconds. Everything else is retried.',
      },
      410: { description: 'No more deliveries are wanted: the webhook is disabled.' },
    },
  }
}
