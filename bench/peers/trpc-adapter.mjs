/**
 * The program's own router behind tRPC's Fastify adapter, mounted as its documentation shows, on the same
 * database and with the same authentication; nothing is logged. Arguments: address of the database, host of
 * the sites.
 */
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import { fastify } from 'fastify'
import { appRouter } from '../../dist/api/routers/index.js'
import { createPrincipals } from '../../dist/platform/callers/authenticate.js'
import { bearerCredential } from '../../dist/platform/callers/credential.js'
import { createLastUses } from '../../dist/platform/callers/last-used.js'
import { openPostgres } from '../../dist/stores/db/open-database.js'
import { createStore } from '../../dist/stores/db/store.js'

const [databaseUrl, sitesHost] = process.argv.slice(2)

const store = await createStore(openPostgres(databaseUrl))
const principals = createPrincipals({ store, lastUsed: createLastUses(store.db), nowMs: Date.now })
const observe = { answered() {}, limited() {}, replayed() {} }
const services = {
  store,
  sitesUrl: `http://${sitesHost}`,
  certifiedUrl: `http://${sitesHost}`,
  observe,
  caps: { maxFiles: 20_000 },
  nowMs: Date.now,
}

async function createContext({ req }) {
  const principal = await principals.authenticate(bearerCredential(req.headers.authorization))
  // The guard of procedures takes one for each call.
  const tokens = { kind: 'calls', left: 100 }
  return { services, principal, tokens, requestId: req.id, signal: new AbortController().signal }
}

const app = fastify({ routerOptions: { maxParamLength: 5_000 } })
app.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: { router: appRouter, createContext } })
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(app.server.address().port)
