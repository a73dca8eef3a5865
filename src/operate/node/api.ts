/** Starts the API on the stores and settings of a node. */
import { createApiServer } from '../../api/server/api.ts'
import { createDashboard } from '../../api/server/dashboard/dashboard.ts'
import { createBodyBudget } from '../../api/server/http/body-budget.ts'
import { listenApi, type ObtainedCertificate } from '../../api/server/http/listen-api.ts'
import { openZipIntake } from '../../api/server/http/zip-intake.ts'
import type { Services } from '../../api/trpc/context.ts'
import type { StopsAccepting } from '../../lib/net/listen.ts'
import { buildReachOf, installProblemOf } from '../../lib/settings/build-network.ts'
import { capsOf } from '../../platform/deployments/caps.ts'
import { gitLeasesOf } from '../../platform/git/git-leases.ts'
import { storageLimitsOf } from '../../platform/limits/limits-from-settings.ts'
import { createTurns } from '../../platform/limits/turns.ts'
import type { LookAtReadiness } from '../../platform/observability/readiness.ts'
import { createMails, type Mails } from '../../platform/people/mails/mails.ts'
import { oidcProvider } from '../../platform/people/oidc.ts'
import { createPeople, type People } from '../../platform/people/people.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { createKnownBlobs } from '../../stores/blobs/known-blobs.ts'
import { createFeeds } from '../../stores/events/live/feeds.ts'
import type { NodeContext } from './context.ts'
import { gitOf, zipsOf } from './data-places.ts'
import { readProxyHeaderOf } from './proxy-headers.ts'
import { publicUrl } from './public-url.ts'
import { serverRoomOf } from './server-room.ts'

/** Each may take half a minute, and hold a page of a forge's answer. */
const mostRegistrations = { team: 2, process: 16 }

type Deps = Pick<
  NodeContext,
  | 'settings'
  | 'installation'
  | 'routing'
  | 'resolver'
  | 'removal'
  | 'jwts'
  | 'principals'
  | 'trustedIssuers'
  | 'limits'
  | 'ownLimits'
  | 'outboxes'
  | 'unread'
  | 'timeouts'
  | 'dashboard'
  | 'certificates'
  | 'forgeFetchFor'
  | 'forgeRefusals'
  | 'gitKeepers'
  | 'repositories'
  | 'log'
  | 'nowMs'
  | 'stopping'
  | 'together'
> &
  SiteUrls & {
    readiness: LookAtReadiness
    buildProblem: Services['buildProblem']
    observe: Services['observe']
  }

/**
 * Resolves once the API listens at `url`.
 * @throws SettingsError when a port is in use, or the certificate can't be used.
 */
export async function startApi(
  deps: Deps,
): Promise<StopsAccepting & { tlsPort: number | undefined; url: string }> {
  const { settings, timeouts, log, nowMs, observe, together } = deps
  const share = together?.share ?? 1
  // With port 0, known only once the server listens.
  let url = publicUrl(settings, { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT })
  const apiUrl = () => url
  const onRefused = (status: number) => observe.answered('none', status, 0)
  const app = await createApiServer({
    services: servicesOf(deps, apiUrl),
    people: peopleOf(deps, apiUrl),
    onRefused,
    principals: deps.principals,
    limits: deps.limits,
    readiness: deps.readiness,
    timeouts,
    log,
    stopping: deps.stopping,
    maxJsonBytes: settings.SVC_MAX_JSON_BYTES,
    bodies: createBodyBudget({
      totalBytes: settings.SVC_BODY_BYTES,
      maxBodyBytes: settings.SVC_MAX_JSON_BYTES,
      waitMs: timeouts.bodyWaitMs,
    }),
    zips: openZipIntake(zipsOf(settings), capsOf(settings), { waitMs: timeouts.bodyWaitMs, share }),
    disk: deps.installation.disk,
    git: gitOf(settings),
    repositories: deps.repositories,
    gitLeases: gitLeasesOf(deps.gitKeepers),
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    corsOrigins: settings.SVC_CORS_ORIGINS,
    // Browsers ignore it with an untrusted certificate.
    dashboard: settings.SVC_DASHBOARD === 'on' ? createDashboard(deps.dashboard, share) : undefined,
    strictTransport: !settings.SVC_TLS_SELF_SIGNED,
  })
  const listening = await listenApi(app, {
    settings,
    timeouts,
    log,
    nowMs,
    onRefused,
    unread: deps.unread,
    connections: deps.ownLimits.connections,
    ticketKeys: together?.ticketKeys,
    obtained: obtainedOf(deps),
    readProxyHeader: readProxyHeaderOf(settings),
  })
  url = publicUrl(settings, listening)
  return { ...listening, url }
}

/** The certificate of the API's own host, where it has no other. */
function obtainedOf({ settings, certificates }: Deps): ObtainedCertificate | undefined {
  const { SVC_ACME, SVC_URL, SVC_TLS_CERT, SVC_TLS_SELF_SIGNED } = settings
  if (!SVC_ACME || SVC_TLS_CERT || SVC_TLS_SELF_SIGNED || SVC_URL === undefined || !certificates)
    return undefined
  const own = new URL(SVC_URL).hostname
  return {
    contextOf: async (host) => (host === own ? certificates.served.untilIssued(host) : undefined),
    ticketKeys: certificates.ticketKeys(),
    follow: certificates.follow,
  }
}

/** The services of procedures. */
function servicesOf(deps: Deps, apiUrl: () => string): Services {
  const { settings, installation, sitesUrl, certifiedUrl, routing, resolver, removal, jwts, log } = deps
  const { buildProblem, observe, trustedIssuers, forgeFetchFor, forgeRefusals, nowMs } = deps
  const { store, blobs, keys } = installation
  return {
    store,
    blobs,
    sitesUrl,
    certifiedUrl,
    routing,
    resolver,
    removal,
    jwts,
    buildProblem,
    installProblem: settings.SVC_ROLES.includes('worker')
      ? installProblemOf(buildReachOf(settings))
      : undefined,
    observe,
    trustedIssuers,
    forgeFetchFor,
    forgeRefusals,
    nowMs,
    get apiUrl() {
      return apiUrl()
    },
    feeds: createFeeds({ store, log, nowMs }),
    knownBlobs: createKnownBlobs(),
    registrations: createTurns(
      mostRegistrations,
      'Forges of your team are being asked already. Try it again in a moment.',
    ),
    storage: storageLimitsOf(settings),
    nameservers: settings.SVC_NAMESERVERS,
    resolvePrivate: settings.SVC_RESOLVE_PRIVATE,
    envKey: keys.env,
    uploadKey: keys.uploads,
    webhookKey: keys.webhooks,
    factorKey: keys.secondFactors,
    passkeyKey: keys.passkeys,
    certificateKey: keys.certificates,
    webhooksAllowPrivate: settings.SVC_WEBHOOKS_ALLOW_PRIVATE,
    caps: capsOf(settings),
    maxQueuedBuilds: settings.SVC_BUILD_QUEUE,
    serverRoom: serverRoomOf(settings),
    metricsDays: settings.SVC_METRICS_DAYS,
    providerName: oidcProvider(settings)?.name,
    mails: mailsOf(deps, apiUrl),
  }
}

/** The pages on which people sign in. */
function peopleOf({ settings, installation, limits, log, nowMs }: Deps, apiUrl: () => string): People {
  return createPeople({
    store: installation.store,
    secret: installation.keys.sessions,
    factorKey: installation.keys.secondFactors,
    passkeyKey: installation.keys.passkeys,
    tries: limits.passwords,
    oidc: oidcProvider(settings),
    get apiUrl() {
      return apiUrl()
    },
    nowMs,
    log,
  })
}

/** The mails to people; undefined where none can be sent. */
function mailsOf({ settings, installation, outboxes, nowMs }: Deps, apiUrl: () => string): Mails | undefined {
  return (
    outboxes &&
    createMails({
      store: installation.store,
      outboxes,
      get apiUrl() {
        return apiUrl()
      },
      providerName: oidcProvider(settings)?.name,
      nowMs,
    })
  )
}
