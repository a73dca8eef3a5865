/** An event as it is delivered: to a program, or to people. */
export type DeliveredEvent = {
  eventId: string
  type: string
  /** When it happened, in Unix milliseconds. */
  createdMs: number
  /** The slug of its team. */
  team: string
  data: Record<string, unknown>
  /** The name of who did it, or began the build; only for people. */
  actor: string | null
}
