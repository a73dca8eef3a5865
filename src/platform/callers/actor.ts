/** The actor of an event. */
import type { Origin } from '../../stores/events/record-events.ts'
import type { ForgePrincipal, HookPrincipal, Principal } from './principal.ts'

/** A caller, and its request. */
export type Actor = { principal: Principal; address: string; requestId: string }

/** The maker of a deployment: a caller, a deploy hook, or a push to a repository at a forge. */
export type Deployer = Omit<Actor, 'principal'> & { principal: Principal | HookPrincipal | ForgePrincipal }

/** The actor's fields in the event log. */
export function originOf({ principal, address, requestId }: Deployer): Origin {
  const keyId = keyIdOf(principal)
  return { userId: principal.userId, keyId, address, requestId }
}

/** The id of the API key that was used; null where none was. */
export function keyIdOf(principal: Deployer['principal']): string | null {
  return principal.kind === 'key' || principal.kind === 'jwt' ? principal.keyId : null
}
