/** The edge alone, that counts and logs requests or doesn't. Arguments: database, directory of blobs, `counted` or not. */
import { randomBytes } from 'node:crypto'
import { createFileBlobStore } from '../../dist/blobs/file-store.js'
import { openPostgres } from '../../dist/db/open.js'
import { createStore } from '../../dist/db/store.js'
import { createEdgeServer } from '../../dist/edge/server.js'
import { createSites } from '../../dist/edge/sites.js'
import { createLookUp } from '../../dist/limits/look-ups.js'
import { createLogger } from '../../dist/log/logger.js'
import { inBatches } from '../../dist/observability/in-batches.js'
import { createTrafficCounter } from '../../dist/observability/metrics/count.js'
import { createRequestLog } from '../../dist/observability/requests/request-log.js'

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
  blobs: await createFileBlobStore(blobDirectory),
  authenticate: async () => undefined,
  lookUp: createLookUp({ perSecond: 20, burst: 200 }),
  sitesUrl: 'http://localhost',
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
