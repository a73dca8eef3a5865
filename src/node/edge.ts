/** Starts the edge. */

import type { VisitDeps } from '../edge/access.ts'
import { createEdgeServer } from '../edge/server.ts'
import { createLookUp } from '../limits/look-ups.ts'
import { type Listening, listen } from '../net/listen.ts'
import { inBatches } from '../observability/in-batches.ts'
import type { EdgeObserver } from '../observability/observers.ts'
import { createRequestLog } from '../observability/requests/request-log.ts'
import type { Settings } from '../settings/variables.ts'
import { startLoop } from '../worker/loop.ts'
import type { NodeContext } from './context.ts'

type Deps = Pick<NodeContext, 'settings' | 'installation' | 'sites' | 'log' | 'nowMs'> & {
  authenticate: VisitDeps['authenticate']
  /** Is told of each answer for a project. */
  observe: EdgeObserver
}

/** The sites' public base address: `SVC_EDGE_URL`, or one with a port of the edge. */
export function publicSitesUrl({ SVC_EDGE_URL }: Settings, port: number): string {
  // Browsers resolve every name below localhost to this machine.
  return SVC_EDGE_URL ?? `http://localhost:${port}`
}

/** Followers of a log see a line a second after it was written. */
const logRequestsMs = 500

/**
 * Resolves once the edge listens; closing it flushes its log. @throws SettingsError when its port is in use.
 */
export async function startEdge(deps: Deps): Promise<Listening> {
  const { settings, installation, sites, authenticate, observe, log, nowMs } = deps
  const { store, blobs, keys } = installation
  const requestLog = createRequestLog({ db: store.db, log, nowMs })
  const batches = inBatches((answered, request) => {
    observe(answered, request)
    requestLog.observe(answered, request)
  })
  // With port 0, known only once the server listens.
  let { SVC_EDGE_PORT: port } = settings
  const server = createEdgeServer({
    ...{ sites, authenticate, log, nowMs },
    lookUp: createLookUp(settings.SVC_RATE_EDGE),
    maxConnections: settings.SVC_EDGE_CONNECTIONS,
    db: store.db,
    blobs,
    cookieKey: keys.edgeCookies,
    observe: batches.observe,
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    get sitesUrl() {
      return publicSitesUrl(settings, port)
    },
  })
  const edge = await listen(server, { port, host: settings.SVC_HOST, setting: 'SVC_EDGE_PORT' })
  port = edge.port
  const write = () => requestLog.flush().then(() => false)
  const stopWriting = startLoop([{ name: 'log requests', everyMs: logRequestsMs, run: write }], log)
  return {
    port,
    async close(waitMs) {
      await edge.close(waitMs)
      batches.tell()
      await stopWriting()
      await requestLog.close()
    },
  }
}
