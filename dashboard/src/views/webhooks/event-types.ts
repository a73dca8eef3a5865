/** The events that a webhook can receive. */
import { type EventType, eventTypes } from '../../../../src/lib/names/event-types.ts'

/** The types by what they are about: `deployment` → `deployment.ready` … */
export const eventGroups: Map<string, EventType[]> = Map.groupBy(
  eventTypes,
  (type) => type.split('.')[0] ?? type,
)
