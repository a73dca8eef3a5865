/** Decides what servers may connect to. */
import { isIP } from 'node:net'
import { canonicalAddress } from '../../../lib/names/canonical-address.ts'
import type { PrivatePlace } from '../../../lib/names/private-place.ts'
import { isPublicAddress } from '../../../lib/net/public-address.ts'
import type { Resolve } from '../../../lib/net/resolve.ts'
import { type Destination, Refusal } from './refusal.ts'

/** Whose server connects. */
export type Team = { id: string; slug: string }

export type Guard = {
  /** Whether the operator has opened the place to the team. */
  isOpened(destination: Destination, team: Team): boolean
  /**
   * The addresses of a place, all of which the team may connect to. Each connection has to ask, and to use no
   * others: a name may lead elsewhere the next time (DNS rebinding). @throws Refusal
   */
  addressesOf(destination: Destination, team: Team): Promise<string[]>
}

type Deps = {
  /** Resolves names of the public DNS. */
  resolve: Resolve
  /** Resolves names that the operator has opened. */
  resolveOpened: Resolve
  places: readonly PrivatePlace[]
  /** The addresses of this host, as `canonicalAddress` has them. */
  ownAddresses: () => string[]
}

/** Public addresses alone, none of this host's own, and the places that the operator has opened. */
export function createGuard({ resolve, resolveOpened, places, ownAddresses }: Deps): Guard {
  const isOpened = ({ name, port }: Destination, { id, slug }: Team) =>
    places.some((place) => [id, slug, '*'].includes(place.team) && place.name === name && place.port === port)

  async function resolveAs(destination: Destination, team: Team): Promise<string[]> {
    const { name } = destination
    if (isIP(name) !== 0) return [name]
    const found = await (isOpened(destination, team) ? resolveOpened : resolve)(name).catch(() => {
      throw new Refusal(destination, 'unresolved')
    })
    return found.map(canonicalAddress)
  }

  return {
    isOpened,
    async addressesOf(destination, team) {
      const addresses = await resolveAs(destination, team)
      if (isOpened(destination, team)) return addresses
      const own = ownAddresses()
      for (const address of addresses) {
        if (isOpened({ name: address, port: destination.port }, team)) continue
        // One inside refuses them all: no public server needs that.
        if (!isPublicAddress(address)) throw new Refusal(destination, 'inside')
        if (own.includes(address)) throw new Refusal(destination, 'own')
      }
      return addresses
    },
  }
}
