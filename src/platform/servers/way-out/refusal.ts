/** Why a server does not reach a place: sentences for its authors. */
import { describeDestination } from '../../../lib/names/private-place.ts'

/** A host name or an address as `canonicalAddress` has it, and a port. */
export type Destination = { name: string; port: number }

const reasons = {
  inside:
    'has no public address: the operator of the platform opens places inside the network, ' +
    'with SVC_RUNTIME_PRIVATE',
  own:
    'is this node itself: the operator of the platform opens its ports to servers, ' +
    'with SVC_RUNTIME_PRIVATE',
  port: 'is at a port that `network` and `ports` of `runtime` leave out',
  unknown: 'is no address that a name was given here: look the name up again',
  unresolved: 'has a name without an address',
  unreachable: 'does not accept the connection',
  slow: 'took too long to accept the connection',
  crowded: 'is one connection more than the servers of a team may have open',
  full: 'is one connection more than the servers of this node may have open',
} as const

export type RefusalReason = keyof typeof reasons

/** A connection that was not made; its message names the place and the reason. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly reason: RefusalReason

  constructor(destination: Destination, reason: RefusalReason) {
    super(`No way to ${describeDestination(destination)}, which ${reasons[reason]}.`)
    this.reason = reason
  }
}

/** How long one line stands for all refusals of its kind, and how many kinds have lines in that time. */
const quietMs = 60_000
const maxLines = 20

/** Returns a function that says each refusal once a minute; `now` is in milliseconds. */
export function createRefusalLines(
  say: (text: string) => void,
  now: () => number,
): (refusal: Refusal) => void {
  const said = new Set<string>()
  let sinceMs = now()
  return ({ message }) => {
    if (now() >= sinceMs + quietMs) {
      said.clear()
      sinceMs = now()
    }
    if (said.has(message) || said.size >= maxLines) return
    said.add(message)
    say(message)
  }
}
