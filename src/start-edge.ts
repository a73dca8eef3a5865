/** Starts what serves sites, and the internal port that speaks of them. */

import { createEdgeServer } from './edge/server.ts'
import { createServesDomain } from './edge/serves-domain.ts'
import type { Sites } from './edge/sites.ts'
import type { VisitDeps } from './edge/visits.ts'
import type { Installation } from './installation.ts'
import { createInternalServer } from './internal/server.ts'
import { type Listening, listen } from './listen.ts'
import type { Logger } from './log.ts'
import type { Settings } from './settings/variables.ts'

type Deps = {
  settings: Settings
  installation: Installation
  sites: Sites
  authenticate: VisitDeps['authenticate']
  log: Logger
  nowMs: () => number
}

/** The sites' public base address: `SVC_EDGE_URL`, or what follows from a port of the edge. */
export function publicSitesUrl({ SVC_EDGE_URL }: Settings, port: number): string {
  // Browsers resolve every name below localhost to this machine.
  return SVC_EDGE_URL ?? `http://localhost:${port}`
}

/** Resolves once the edge listens. @throws SettingsError when its port is taken. */
export async function startEdge({ settings, installation, ...deps }: Deps): Promise<Listening> {
  const { store, blobs, keys } = installation
  // Known only once the server listens, where the port is left to the system.
  let { SVC_EDGE_PORT: port } = settings
  const server = createEdgeServer({
    ...deps,
    db: store.db,
    blobs,
    cookieKey: keys.edgeCookies,
    get sitesUrl() {
      return publicSitesUrl(settings, port)
    },
  })
  const edge = await listen(server, { port, host: settings.SVC_HOST, setting: 'SVC_EDGE_PORT' })
  port = edge.port
  return edge
}

/** Resolves once the internal port listens. @throws SettingsError when it is taken. */
export function startInternal(settings: Settings, sites: Sites, log: Logger): Promise<Listening> {
  const { SVC_INTERNAL_PORT: port, SVC_INTERNAL_HOST: host, SVC_EDGE_PORT } = settings
  const servesDomain = createServesDomain(sites, publicSitesUrl(settings, SVC_EDGE_PORT))
  return listen(createInternalServer({ servesDomain, log }), { port, host, setting: 'SVC_INTERNAL_PORT' })
}
