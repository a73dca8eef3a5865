/** Starts the API on the stores and settings of a node. */
import { oidcProvider } from '../auth/people/oidc.ts'
import { createPeople, type People } from '../auth/people/people.ts'
import { createKnownBlobs } from '../blobs/known-blobs.ts'
import { capsOf } from '../deployments/caps.ts'
import { storageLimitsOf } from '../limits/from-settings.ts'
import type { Listening } from '../net/listen.ts'
import type { LookAtReadiness } from '../observability/readiness.ts'
import { createApiServer } from '../server/api.ts'
import { createBodyBudget } from '../server/http/body-budget.ts'
import { listenApi } from '../server/http/listen-api.ts'
import type { Services } from '../trpc/context.ts'
import type { NodeContext } from './context.ts'
import { publicUrl } from './public-url.ts'

type Deps = Pick<
  NodeContext,
  | 'settings'
  | 'installation'
  | 'routing'
  | 'resolver'
  | 'removal'
  | 'jwts'
  | 'principals'
  | 'limits'
  | 'timeouts'
  | 'log'
  | 'nowMs'
  | 'stopping'
> & {
  sitesUrl: string
  readiness: LookAtReadiness
  buildProblem: Services['buildProblem']
  observe: Services['observe']
}

/**
 * Resolves once the API listens at `url`.
 * @throws SettingsError when a port is in use, or the certificate can't be used.
 */
export async function startApi(deps: Deps): Promise<Listening & { url: string }> {
  const { settings, timeouts, log, nowMs, observe } = deps
  // With port 0, known only once the server listens.
  let url = publicUrl(settings, { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT })
  const apiUrl = () => url
  const onRefused = (status: number) => observe.answered('none', status, 0)
  const app = await createApiServer({
    ...{ services: servicesOf(deps, apiUrl), people: peopleOf(deps, apiUrl), onRefused },
    ...{ principals: deps.principals, limits: deps.limits, readiness: deps.readiness },
    ...{ timeouts, log, stopping: deps.stopping },
    maxJsonBytes: settings.SVC_MAX_JSON_BYTES,
    bodies: createBodyBudget({
      totalBytes: settings.SVC_BODY_BYTES,
      maxBodyBytes: settings.SVC_MAX_JSON_BYTES,
      waitMs: timeouts.bodyWaitMs,
    }),
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    corsOrigins: settings.SVC_CORS_ORIGINS,
    // Browsers ignore it with an untrusted certificate.
    strictTransport: !settings.SVC_TLS_SELF_SIGNED,
  })
  const { port, tlsPort, close } = await listenApi(app, { settings, timeouts, log, nowMs, onRefused })
  url = publicUrl(settings, { port, tlsPort })
  return { port, close, url }
}

/** What procedures work with. */
function servicesOf(deps: Deps, apiUrl: () => string): Services {
  const { settings, installation, sitesUrl, routing, resolver, removal, jwts } = deps
  const { buildProblem, observe, nowMs } = deps
  const { store, blobs, keys } = installation
  return {
    ...{ store, blobs, sitesUrl, routing, resolver, removal, jwts, buildProblem, observe, nowMs },
    get apiUrl() {
      return apiUrl()
    },
    knownBlobs: createKnownBlobs(),
    storage: storageLimitsOf(settings),
    nameservers: settings.SVC_NAMESERVERS,
    resolvePrivate: settings.SVC_RESOLVE_PRIVATE,
    envKey: keys.env,
    uploadKey: keys.uploads,
    webhookKey: keys.webhooks,
    webhooksAllowPrivate: settings.SVC_WEBHOOKS_ALLOW_PRIVATE,
    caps: capsOf(settings),
    maxQueuedBuilds: settings.SVC_BUILD_QUEUE,
    metricsDays: settings.SVC_METRICS_DAYS,
  }
}

/** The pages on which people sign in. */
function peopleOf({ settings, installation, log, nowMs }: Deps, apiUrl: () => string): People {
  return createPeople({
    ...{ store: installation.store, secret: installation.keys.sessions, oidc: oidcProvider(settings) },
    get apiUrl() {
      return apiUrl()
    },
    nowMs,
    log,
  })
}
