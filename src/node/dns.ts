/** Starts the name server on the stores and settings of a node. */
import type { Store } from '../db/store.ts'
import type { Logger } from '../log/logger.ts'
import type { ObserveDns } from '../nameserver/observe.ts'
import { startNameServer } from '../nameserver/server.ts'
import type { Listening } from '../net/listen.ts'
import type { Reach } from '../net/reach.ts'
import type { Settings } from '../settings/variables.ts'
import { nameserversOf } from '../zones/soa.ts'

type Deps = {
  store: Store
  sitesUrl: string
  port: number
  reach: Reach
  /** The name of the edge, where it has one. */
  edgeName: string | undefined
  log: Logger
  observe: ObserveDns
}

/** Resolves once it answers at `port`, by UDP and TCP. @throws SettingsError when the port is taken. */
export function startDns(
  settings: Settings,
  { store, sitesUrl, port, reach, edgeName, log, observe }: Deps,
): Promise<Listening> {
  return startNameServer({
    store,
    nameservers: nameserversOf(settings.SVC_NAMESERVERS, sitesUrl),
    resolvers: settings.SVC_RESOLVERS,
    reach,
    edgeName,
    host: settings.SVC_HOST,
    port,
    rate: settings.SVC_DNS_RATE,
    log,
    observe,
  })
}
