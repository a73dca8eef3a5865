/** A node: opens the stores, starts the roles it was given, and stops them in order. */
import { createOperatorKey, setUp } from './auth/installation.ts'
import { createJwts } from './auth/jwt/jwts.ts'
import { createLastUsed } from './auth/last-used.ts'
import { createPrincipals } from './auth/principals.ts'
import { setPlan } from './auth/teams/plan.ts'
import type { OwnerKey, TeamPlan } from './data-dir/admin-protocol.ts'
import { createEdgeServer } from './edge/server.ts'
import { type Installation, openInstallation } from './installation.ts'
import { limitsStoreOf, policiesOf } from './limits/from-settings.ts'
import { openLimits } from './limits/open-limits.ts'
import { type Listening, listen } from './listen.ts'
import type { Logger } from './log.ts'
import { listenAdmin } from './server/admin-socket.ts'
import { createApiServer } from './server/api.ts'
import { defaultTimeouts, type Timeouts } from './server/deps.ts'
import { listenApi } from './server/listen-api.ts'
import type { RoleName, Settings } from './settings.ts'
import type { Services } from './trpc/context.ts'
import { startLoop, type Task } from './worker/loop.ts'
import { workerTasks } from './worker/tasks.ts'

export type Node = {
  apiUrl: string
  sitesUrl: string
  /** The first owner key, where this was the first start on an empty database. */
  firstKey: OwnerKey | undefined
  /** Takes no new requests, lets those under way end within `SVC_STOP_MS`, writes what was gathered, closes. */
  stop(): Promise<void>
}

type Options = { log: Logger; nowMs?: () => number; timeouts?: Timeouts }

const lastUsedFlushMs = 1_000

/** Opens the installation and starts a node on it. @throws as `openInstallation` and `runNode` do. */
export async function startNode(settings: Settings, options: Options): Promise<Node> {
  return runNode(await openInstallation(settings), settings, options)
}

/**
 * Starts a node on an open installation, which is closed when the node stops or can't start; the node is ready when
 * this returns.
 * @throws SettingsError when a port is taken.
 */
export async function runNode(
  installation: Installation,
  settings: Settings,
  options: Options,
): Promise<Node> {
  const { log, nowMs = Date.now } = options
  // What has been started, in order; stopping goes the other way.
  const stops: (() => Promise<void>)[] = [installation.close]
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    for (const each of stops.splice(0).reverse()) {
      // With a store away one step may fail: what comes after it has to be closed all the same.
      await each().catch((error: unknown) =>
        log.error({ err: error }, 'A part of this node did not stop cleanly.'),
      )
    }
  }
  try {
    const { apiUrl, sitesUrl } = await startRoles(
      settings,
      installation,
      { ...options, nowMs },
      stops,
      stopping.signal,
    )
    const { store, keys } = installation
    const firstOwnerKey = () => setUp(store, keys.check, nowMs())
    const createOwnerKey = async () => (await firstOwnerKey()) ?? createOperatorKey(store.db, nowMs())
    const handlers = { createOwnerKey, setPlan: (change: TeamPlan) => setPlan(store, change) }
    const admin = await listenAdmin({ directory: settings.SVC_DATA_DIR, handlers, log })
    stops.push(admin.close)
    // Last, so that a start that fails doesn't use up the one time at which the key is shown.
    const firstKey = await firstOwnerKey()
    return { apiUrl, sitesUrl, firstKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startRoles(
  settings: Settings,
  { store, blobs, keys }: Installation,
  { log, nowMs, timeouts = defaultTimeouts }: Options & { nowMs: () => number },
  stops: (() => Promise<void>)[],
  stopping: AbortSignal,
): Promise<{ apiUrl: string; sitesUrl: string }> {
  const has = (role: RoleName) => settings.SVC_ROLES.includes(role)
  const lastUsed = createLastUsed(store.db)
  stops.push(lastUsed.flush)
  const flush: Task = {
    name: 'write last_used_ms',
    everyMs: lastUsedFlushMs,
    run: () => lastUsed.flush().then(() => false),
  }
  stops.push(startLoop([flush, ...(has('worker') ? workerTasks({ store, blobs, nowMs }) : [])], log))

  const { SVC_JWT_SECRET: secret, SVC_JWT_SECRET_PREVIOUS: previous } = settings
  const jwts = secret === undefined ? undefined : await createJwts(secret, previous)
  const principals = createPrincipals({ store, lastUsed, jwts, nowMs })
  const addresses = { apiUrl: settings.SVC_URL, sitesUrl: settings.SVC_EDGE_URL }
  const listening: Listening[] = []
  // All at once, since the time for it is that of the whole stop.
  stops.push(async () => {
    await Promise.all(listening.map(({ close }) => close(settings.SVC_STOP_MS)))
  })

  const edgePort = has('edge') ? await startEdge() : settings.SVC_EDGE_PORT
  // Browsers resolve every name below localhost to this machine.
  const sitesUrl = addresses.sitesUrl ?? `http://localhost:${edgePort}`
  const localHost = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(settings.SVC_HOST)
    ? 'localhost'
    : settings.SVC_HOST
  let apiUrl = addresses.apiUrl ?? localAddress(settings.SVC_PORT, settings.SVC_TLS_PORT)
  if (has('api')) await startApi()
  return { apiUrl, sitesUrl }

  function localAddress(port: number, tlsPort: number | undefined): string {
    return tlsPort === undefined ? `http://${localHost}:${port}` : `https://${localHost}:${tlsPort}`
  }

  async function startEdge(): Promise<number> {
    const server = createEdgeServer({
      store,
      blobs,
      authenticate: principals.find,
      sitesUrl: settings.SVC_EDGE_URL ?? 'http://localhost',
      cookieKey: keys.edgeCookies,
      nowMs,
      log,
    })
    const edge = await listen(server, settings.SVC_EDGE_PORT, settings.SVC_HOST)
    listening.push(edge)
    return edge.port
  }

  async function startApi(): Promise<void> {
    const services: Services = {
      store,
      blobs,
      // Known only once the server listens, where the port is left to the system.
      get apiUrl() {
        return apiUrl
      },
      sitesUrl,
      envKey: keys.env,
      uploadKey: keys.uploads,
      jwts,
      caps: {
        maxFiles: settings.SVC_MAX_FILES,
        maxFileBytes: settings.SVC_MAX_FILE_BYTES,
        maxDeploymentBytes: settings.SVC_MAX_DEPLOYMENT_BYTES,
      },
      nowMs,
    }
    const limits = await openLimits({
      policies: policiesOf(settings),
      store: limitsStoreOf(settings),
      log,
    })
    stops.push(async () => limits.close())
    const app = await createApiServer({
      services,
      principals,
      limits,
      log,
      maxJsonBytes: settings.SVC_MAX_JSON_BYTES,
      timeouts,
      trustedProxies: settings.SVC_TRUSTED_PROXIES,
      corsOrigins: settings.SVC_CORS_ORIGINS,
      // Browsers don't take it from a certificate that nobody vouches for.
      strictTransport: !settings.SVC_TLS_SELF_SIGNED,
      stopping,
    })
    const api = await listenApi(app, { settings, timeouts, log, nowMs })
    apiUrl = addresses.apiUrl ?? localAddress(api.port, api.tlsPort)
    listening.push(api)
  }
}
