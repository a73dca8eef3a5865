/** Who does something, as the event log tells it. */
import type { Origin } from '../events/record-events.ts'
import type { Principal } from './principal.ts'

/** A caller, and the request that it makes. */
export type Actor = { principal: Principal; address: string; requestId: string }

/** What the log keeps of an actor. */
export function originOf({ principal, address, requestId }: Actor): Origin {
  const keyId = principal.kind === 'session' ? null : principal.keyId
  return { userId: principal.userId, keyId, address, requestId }
}
