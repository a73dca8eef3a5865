/** The way out of the servers of a node. */
import { networkInterfaces } from 'node:os'
import { canonicalAddress } from '../../lib/names/canonical-address.ts'
import { createResolve, resolveLocally } from '../../lib/net/resolve.ts'
import { findRouteProblem } from '../../platform/sandbox/listeners/local-route.ts'
import { createGuard } from '../../platform/servers/way-out/guard.ts'
import { createLookUp } from '../../platform/servers/way-out/look-up.ts'
import { createShares } from '../../platform/servers/way-out/shares.ts'
import { createWayOut, type WayOut } from '../../platform/servers/way-out/way-out.ts'
import type { NodeContext } from './context.ts'

/** Says in the log of the node where it can be used by some clients alone. */
export async function openWayOut({
  settings,
  routing,
  log,
}: Pick<NodeContext, 'settings' | 'routing' | 'log'>): Promise<WayOut> {
  const problem = settings.SVC_BUILD_SANDBOX === 'none' ? undefined : await findRouteProblem()
  if (problem !== undefined) {
    log.warn(
      { detail: problem },
      'Servers reach HTTP and HTTPS here through a proxy alone, and no other ports: ' +
        'a local route needs ip (iproute2) and unshare (util-linux).',
    )
  }
  const resolve = createResolve(settings.SVC_RESOLVERS)
  const ownAddresses = () => [...routing.addresses, ...addressesOfInterfaces()].map(canonicalAddress)
  const now = () => performance.now()
  return createWayOut({
    isRouted: problem === undefined,
    guard: createGuard({
      resolve,
      resolveOpened: resolveLocally,
      places: settings.SVC_RUNTIME_PRIVATE,
      ownAddresses,
    }),
    lookUp: createLookUp(resolve, settings.SVC_RESOLVERS),
    shares: createShares(now),
    now,
  })
}

function addressesOfInterfaces(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  )
}
