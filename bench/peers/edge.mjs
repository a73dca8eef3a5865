/**
 * The edge alone, that counts and logs requests or doesn't. Arguments: database, directory of blobs,
 * `counted` or not.
 */
import { randomBytes } from 'node:crypto'
import { createLogger } from '../../dist/lib/log/logger.js'
import { createLookUp } from '../../dist/platform/limits/limit-look-ups.js'
import { inBatches } from '../../dist/platform/observability/in-batches.js'
import { createTrafficCounter } from '../../dist/platform/observability/metrics/count.js'
import { createRequestLog } from '../../dist/platform/observability/requests/request-log.js'
import { createEdgeServer } from '../../dist/roles/edge/server.js'
import { createSites } from '../../dist/roles/edge/sites.js'
import { createFileBlobStore } from '../../dist/stores/blobs/file-store.js'
import { openPostgres } from '../../dist/stores/db/open-database.js'
import { createStore } from '../../dist/stores/db/store.js'

const [databaseUrl, blobDirectory, counted] = process.argv.slice(2)
const store = await createStore(openPostgres(databaseUrl))
const log = createLogger(process.stderr)
const nowMs = Date.now
const traffic = createTrafficCounter({ db: store.db, nowMs, log })
const requestLog = createRequestLog({ db: store.db, nowMs, log })
const batches = inBatches((answered, asked) => {
  traffic.count(answered)
  requestLog.observe(answered, asked)
})
const isCounted = counted === 'counted'

const { server } = createEdgeServer({
  sites: createSites(store, 0),
  db: store.db,
  changes: store.changes,
  blobs: await createFileBlobStore(blobDirectory),
  authenticate: async () => undefined,
  lookUp: createLookUp({ perSecond: 20, burst: 200 }),
  sitesUrl: 'http://localhost',
  apiUrl: 'http://localhost:3000',
  cookieKey: randomBytes(32),
  nowMs,
  log,
  ...(isCounted && { observe: batches.observe }),
})
if (isCounted) {
  setInterval(() => traffic.flush(), 500)
  setInterval(() => requestLog.flush(), 500)
}
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
