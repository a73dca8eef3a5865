/** The networks that builds of a node reach. */
import { createResolve, resolveLocally } from '../../lib/net/resolve.ts'
import { buildReachOf } from '../../lib/settings/build-network.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import type { BuildNetwork } from '../../platform/sandbox/registries/network.ts'

/** The network of builds, but of untrusted ones. */
export function networkOf(settings: Settings): BuildNetwork {
  const reach = buildReachOf(settings)
  return reach === 'registries' ? registriesOf(settings) : reach
}

/** The network of untrusted builds: never more than registries. */
export function untrustedNetworkOf(settings: Settings): BuildNetwork {
  return buildReachOf(settings) === 'none' ? 'none' : registriesOf(settings)
}

/** Names of registries are resolved as those of webhook receivers are. */
function registriesOf(settings: Settings): BuildNetwork {
  const { SVC_RESOLVERS: servers, SVC_RESOLVE_PRIVATE: allowPrivate } = settings
  const resolve = allowPrivate && !servers ? resolveLocally : createResolve(servers)
  return { hosts: settings.SVC_BUILD_HOSTS, resolve, allowPrivate }
}
