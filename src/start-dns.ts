/** Starts the name server on the stores and settings of a node. */
import type { Store } from './db/store.ts'
import type { Listening } from './listen.ts'
import type { Logger } from './log.ts'
import type { ObserveDns } from './nameserver/observe.ts'
import { startNameServer } from './nameserver/server.ts'
import type { Settings } from './settings/variables.ts'
import { nameserversOf } from './zones/soa.ts'

type Deps = { store: Store; sitesUrl: string; port: number; log: Logger; observe: ObserveDns }

/** Resolves once it answers at `port`, by UDP and TCP. @throws SettingsError when the port is taken. */
export function startDns(
  settings: Settings,
  { store, sitesUrl, port, log, observe }: Deps,
): Promise<Listening> {
  return startNameServer({
    store,
    nameservers: nameserversOf(settings.SVC_NAMESERVERS, sitesUrl),
    resolvers: settings.SVC_RESOLVERS,
    host: settings.SVC_HOST,
    port,
    rate: settings.SVC_DNS_RATE,
    log,
    observe,
  })
}
