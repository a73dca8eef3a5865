/** The way out of servers in tests. */
import { parsePrivatePlace } from '../../../src/lib/names/private-place.ts'
import { createGuard } from '../../../src/platform/servers/way-out/guard.ts'
import { createLookUp } from '../../../src/platform/servers/way-out/look-up.ts'
import { createShares, type ShareBounds, shareBounds } from '../../../src/platform/servers/way-out/shares.ts'
import { createWayOut, type WayOut } from '../../../src/platform/servers/way-out/way-out.ts'

type Options = {
  /** As `SVC_RUNTIME_PRIVATE` has them. */
  places?: string[]
  /** The names of the DNS, each with a function that returns its addresses. */
  names?: Record<string, () => string[]>
  /** Names that the operator has opened. */
  opened?: Record<string, string[]>
  ownAddresses?: string[]
  /** A resolver for records of other types. */
  resolver?: string
  isRouted?: boolean
  bounds?: Partial<ShareBounds>
}

/** A way out to places that are opened, and to names that lead somewhere. */
export function openedWayOut(options: Options = {}): WayOut {
  const { places = [], names = {}, opened = {}, ownAddresses = [], isRouted = true, bounds } = options
  const now = () => performance.now()

  async function resolve(name: string): Promise<string[]> {
    const addresses = names[name]?.() ?? []
    if (addresses.length > 0) return addresses
    throw new Error(`${name} has no address.`, {
      cause: Object.assign(new Error('There is no such name.'), { code: 'ENOTFOUND' }),
    })
  }

  return createWayOut({
    isRouted,
    guard: createGuard({
      resolve,
      resolveOpened: async (name) => opened[name] ?? [],
      places: places.map((place) => parsePrivatePlace(place)).filter((place) => place !== undefined),
      ownAddresses: () => ownAddresses,
    }),
    lookUp: createLookUp(resolve, options.resolver === undefined ? undefined : [options.resolver]),
    shares: createShares(now, { ...shareBounds, ...bounds }),
    now,
  })
}
