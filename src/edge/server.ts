/** The edge: serves every site's files, by host name, over plain HTTP/1.1. */
import { createServer, type Server } from 'node:http'
import type { Principal } from '../auth/principal.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Store } from '../db/store.ts'
import type { Logger } from '../log.ts'
import { createDeliver } from './answers/deliver.ts'
import { createHandle } from './handle.ts'
import { createManifests } from './manifests.ts'
import { createSites } from './sites.ts'
import { createVisits } from './visits.ts'
import { answerClientError } from './wire/client-error.ts'
import { createReadLabel } from './wire/site-label.ts'

export type EdgeDeps = {
  store: Store
  blobs: BlobStore
  /**
   * The principal of a whole `Authorization` value; rejects with AppError `store_unavailable` when it can't
   * tell.
   */
  authenticate: (authorization: string) => Promise<Principal | undefined>
  /** The sites' public base address: `https://svc.site` serves `https://<label>.svc.site`. */
  sitesUrl: string
  /** Signs the cookies of protected hosts; the same on every node. */
  cookieKey: Buffer
  /** Wall clock, in Unix milliseconds. */
  nowMs: () => number
  log: Logger
  timeouts?: Timeouts
}

/** For the header of a request, for all of it, and how often both are checked; in milliseconds. */
type Timeouts = { headersMs: number; requestMs: number; checkMs: number }

const defaultTimeouts: Timeouts = { headersMs: 15_000, requestMs: 30_000, checkMs: 2_000 }

const maxHeaderBytes = 16 * 1024

/** The server, not yet listening. It hears of changes until it is closed. */
export function createEdgeServer(deps: EdgeDeps): Server {
  const { headersMs, requestMs, checkMs } = deps.timeouts ?? defaultTimeouts
  const sites = createSites(deps.store)
  const handle = createHandle({
    visits: createVisits({ ...deps, sites, manifests: createManifests(deps.store.db) }),
    deliver: createDeliver(deps.blobs),
    readLabel: createReadLabel(new URL(deps.sitesUrl).hostname),
    log: deps.log,
  })
  const options = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // Checked together with everything else about it.
    requireHostHeader: false,
  }
  // A client may close its side once it has sent everything, and still gets its answer.
  const server = Object.assign(createServer(options, handle), { httpAllowHalfOpen: true })
  // Nobody is told to go on sending what will not be read.
  server.on('checkContinue', handle)
  server.on('clientError', answerClientError)
  server.on('close', sites.stop)
  return server
}
