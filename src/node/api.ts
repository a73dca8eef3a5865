/** Starts the API: composes what it serves from the stores and settings of a node. */
import type { Jwts } from '../auth/jwt/jwts.ts'
import { oidcProvider } from '../auth/people/oidc.ts'
import { createPeople } from '../auth/people/people.ts'
import type { Principals } from '../auth/principals.ts'
import { createKnownBlobs } from '../blobs/known-blobs.ts'
import { capsOf } from '../deployments/caps.ts'
import type { DomainResolver } from '../domains/check/resolver.ts'
import { storageLimitsOf } from '../limits/from-settings.ts'
import type { Limits } from '../limits/open-limits.ts'
import type { Logger } from '../log/logger.ts'
import type { Listening } from '../net/listen.ts'
import type { LookAtReadiness } from '../observability/readiness.ts'
import { createApiServer } from '../server/api.ts'
import type { Timeouts } from '../server/deps.ts'
import { createBodyBudget } from '../server/http/body-budget.ts'
import { listenApi } from '../server/http/listen-api.ts'
import type { Settings } from '../settings/variables.ts'
import type { Services } from '../trpc/context.ts'
import type { Routing } from '../zones/edge-targets.ts'
import type { Installation } from './installation.ts'
import { publicUrl } from './public-url.ts'

type Deps = {
  settings: Settings
  installation: Installation
  sitesUrl: string
  routing: Routing
  resolver: DomainResolver
  jwts: Jwts | undefined
  principals: Principals
  limits: Limits
  readiness: LookAtReadiness
  buildProblem: Services['buildProblem']
  observe: Services['observe']
  timeouts: Timeouts
  log: Logger
  nowMs: () => number
  stopping: AbortSignal
}

/**
 * Resolves once the API listens at `url`.
 * @throws SettingsError when a port is taken, or the certificate can't be used.
 */
export async function startApi(deps: Deps): Promise<Listening & { url: string }> {
  const {
    settings,
    installation,
    sitesUrl,
    routing,
    resolver,
    jwts,
    principals,
    limits,
    readiness,
    buildProblem,
    observe,
    timeouts,
    log,
    nowMs,
    stopping,
  } = deps
  const { store, blobs, keys } = installation
  // Known only once the server listens, where the port is left to the system.
  let url = publicUrl(settings, { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT })
  const services: Services = {
    store,
    blobs,
    knownBlobs: createKnownBlobs(),
    storage: storageLimitsOf(settings),
    get apiUrl() {
      return url
    },
    sitesUrl,
    routing,
    nameservers: settings.SVC_NAMESERVERS,
    resolver,
    resolvePrivate: settings.SVC_RESOLVE_PRIVATE,
    envKey: keys.env,
    uploadKey: keys.uploads,
    webhookKey: keys.webhooks,
    webhooksAllowPrivate: settings.SVC_WEBHOOKS_ALLOW_PRIVATE,
    jwts,
    caps: capsOf(settings),
    buildProblem,
    maxQueuedBuilds: settings.SVC_BUILD_QUEUE,
    observe,
    metricsDays: settings.SVC_METRICS_DAYS,
    nowMs,
  }
  const people = createPeople({
    store,
    secret: keys.sessions,
    get apiUrl() {
      return url
    },
    oidc: oidcProvider(settings),
    nowMs,
    log,
  })
  const onRefused = (status: number) => observe.answered('none', status, 0)
  const app = await createApiServer({
    onRefused,
    services,
    principals,
    people,
    limits,
    readiness,
    log,
    maxJsonBytes: settings.SVC_MAX_JSON_BYTES,
    bodies: createBodyBudget({
      totalBytes: settings.SVC_BODY_BYTES,
      maxBodyBytes: settings.SVC_MAX_JSON_BYTES,
      waitMs: timeouts.bodyWaitMs,
    }),
    timeouts,
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    corsOrigins: settings.SVC_CORS_ORIGINS,
    // Browsers don't take it from a certificate that nobody vouches for.
    strictTransport: !settings.SVC_TLS_SELF_SIGNED,
    stopping,
  })
  const { port, tlsPort, close } = await listenApi(app, { settings, timeouts, log, nowMs, onRefused })
  url = publicUrl(settings, { port, tlsPort })
  return { port, close, url }
}
