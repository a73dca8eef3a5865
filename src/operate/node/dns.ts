/** Starts the name server on the stores and settings of a node. */

import type { Listening } from '../../lib/net/listen.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import type { DnsObserver } from '../../platform/observability/observers.ts'
import { platformZoneOf } from '../../platform/zones/platform-zone.ts'
import { nameserversOf } from '../../platform/zones/soa.ts'
import { startNameServer } from '../../roles/nameserver/server.ts'
import type { NodeContext } from './context.ts'

type Deps = Pick<NodeContext, 'settings' | 'installation' | 'routing' | 'reach' | 'log'> & {
  sitesUrl: string
  port: number
  observe: DnsObserver
}

/** Resolves once it listens on `port`, UDP and TCP. @throws SettingsError when the port is in use. */
export function startDns(deps: Deps): Promise<Listening> {
  const { settings, installation, routing, reach, sitesUrl, port, log, observe } = deps
  return startNameServer({
    store: installation.store,
    nameservers: nameserversOf(settings.SVC_NAMESERVERS, sitesUrl),
    platform: platformZoneOf(sitesUrl, routing, settings.SVC_NAMESERVERS),
    caaDirectory: caaDirectoryOf(settings),
    resolvers: settings.SVC_RESOLVERS,
    reach,
    edgeName: routing.cname,
    host: settings.SVC_HOST,
    port,
    rate: settings.SVC_DNS_RATE,
    log,
    observe,
  })
}

/** None where the operator gets the certificate of the sites elsewhere. */
function caaDirectoryOf({ SVC_ACME, SVC_ACME_DIRECTORY, SVC_EDGE_TLS_CERT }: Settings): string | undefined {
  return SVC_ACME && SVC_EDGE_TLS_CERT === undefined ? SVC_ACME_DIRECTORY : undefined
}
