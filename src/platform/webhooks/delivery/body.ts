/** The body of the request that delivers an event. */

export type DeliveredEvent = {
  eventId: string
  type: string
  /** When it happened, in Unix milliseconds. */
  createdMs: number
  /** The slug of its team. */
  team: string
  data: Record<string, unknown>
}

/** The event as JSON, the same at each attempt. */
export function deliveryBody({ eventId, type, createdMs, team, data }: DeliveredEvent): string {
  return JSON.stringify({ id: eventId, type, created_ms: createdMs, team, data })
}
