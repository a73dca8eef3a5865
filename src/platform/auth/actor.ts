/** The actor of an event. */
import type { Origin } from '../../stores/events/record-events.ts'
import type { Principal } from './principal.ts'

/** A caller, and its request. */
export type Actor = { principal: Principal; address: string; requestId: string }

/** The actor's fields in the event log. */
export function originOf({ principal, address, requestId }: Actor): Origin {
  const keyId = principal.kind === 'session' ? null : principal.keyId
  return { userId: principal.userId, keyId, address, requestId }
}
