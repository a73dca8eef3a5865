/** What the roles of a node share: settings, stores, clocks, caches, limits, counters. */
import { isIP } from 'node:net'
import { createJwts, type Jwts } from '../auth/jwt/jwts.ts'
import { createLastUsed, type LastUsed } from '../auth/last-used.ts'
import { createPrincipals, type Principals } from '../auth/principals.ts'
import { createRemovalClock, type RemovalClock } from '../clock/removal.ts'
import { createDomainResolver, type DomainResolver } from '../domains/check/resolver.ts'
import { createSites, type Sites } from '../edge/sites.ts'
import { limitsStoreOf, ownRatesOf, policiesOf } from '../limits/from-settings.ts'
import { type Limits, openLimits } from '../limits/open-limits.ts'
import { createOwnLimits, type OwnLimits } from '../limits/own-limits.ts'
import type { Logger } from '../log/logger.ts'
import { createReach, type Reach } from '../net/reach.ts'
import { createUnreadLimits, type UnreadLimits, unreadBytesOf } from '../net/unread/limits.ts'
import { createTrafficCounter, type TrafficCounter } from '../observability/metrics/count.ts'
import type { DashboardPlace } from '../server/dashboard/dashboard.ts'
import type { Timeouts } from '../server/deps.ts'
import type { Environment } from '../settings/parse.ts'
import type { Settings } from '../settings/variables.ts'
import type { Routing } from '../zones/edge-targets.ts'
import type { Installation } from './installation.ts'
import { createObservers, type Observers } from './metrics.ts'
import type { Parts } from './parts.ts'
import { type NodeCertificates, openServedCertificates } from './served-certificates.ts'

/** What a node is started with. */
type Given = {
  settings: Settings
  /** What the settings were read from. */
  environment: Environment
  installation: Installation
  log: Logger
  nowMs: () => number
  timeouts: Timeouts
  dashboard: DashboardPlace
  /** Aborts when the node begins to stop. */
  stopping: AbortSignal
  /** In one of several processes of a node, what they share; undefined where the node is one process. */
  together?: Together | undefined
}

/** What the processes of a node have together. */
type Together = {
  /** The limits that the first process keeps. */
  limits: OwnLimits
  /** The part of what a node may hold in memory that this process may hold. */
  share: number
  /** Encrypts the session tickets of TLS, so that a client may come back to another process; 48 bytes. */
  ticketKeys: Buffer
}

export type NodeContext = Given & {
  observers: Observers
  /** The time for what removes something for its age. */
  removal: RemovalClock
  /** Where domains are to point. */
  routing: Routing
  reach: Reach
  resolver: DomainResolver
  lastUsed: LastUsed
  traffic: TrafficCounter
  /** Undefined where the settings have no secret for them. */
  jwts: Jwts | undefined
  /** Those that a node keeps itself. */
  ownLimits: OwnLimits
  limits: Limits
  principals: Principals
  sites: Sites
  /** What clients of the API and the edge leave unread. */
  unread: UnreadLimits
  /** Undefined for a node that serves none. */
  certificates: NodeCertificates | undefined
}

/** Opens what the roles share; what has to be closed is added to `parts`. */
export async function openContext(given: Given, parts: Parts): Promise<NodeContext> {
  const { settings, installation, log, nowMs, stopping } = given
  const { store } = installation
  const { db } = store
  const removal = createRemovalClock({ db, nowMs, jumpDays: settings.SVC_CLOCK_JUMP_DAYS, log })
  await removal.look()
  const routing = routingOf(settings)
  const reach = createReach({ own: routing.addresses, resolvePrivate: settings.SVC_RESOLVE_PRIVATE })
  const { SVC_RESOLVERS: servers } = settings
  const resolver = createDomainResolver({ servers, cname: routing.cname, reach, nowMs, stopping })
  const lastUsed = createLastUsed(db)
  parts.add({ close: lastUsed.flush })
  const traffic = createTrafficCounter({ db, nowMs, log })
  parts.add({ close: traffic.flush })
  const { SVC_JWT_SECRET: secret, SVC_JWT_SECRET_PREVIOUS: previous } = settings
  const jwts = secret === undefined ? undefined : await createJwts(secret, previous)
  const ownLimits = given.together?.limits ?? createOwnLimits(ownRatesOf(settings))
  const limits = await openLimits({
    ...{ policies: policiesOf(settings), own: ownLimits, store: limitsStoreOf(settings), log },
  })
  parts.add(limits)
  const principals = createPrincipals({ store, lastUsed, jwts, lookUps: limits.lookUps, nowMs })
  const sites = createSites(store, settings.SVC_STALE_S * 1_000)
  parts.add({ close: sites.stop })
  const unread = createUnreadLimits({ ...unreadBytesOf(given.together?.share ?? 1), log })
  parts.add({ close: async () => unread.stop() })
  const certificates = await openServedCertificates({ ...given, share: given.together?.share })
  if (certificates) parts.add(certificates)
  return {
    ...{ ...given, observers: createObservers(), removal, routing, reach, resolver },
    ...{ lastUsed, traffic, jwts, ownLimits, limits, principals, sites, unread, certificates },
  }
}

/** By default domains should point to this node's listen address, if that is one address. */
function routingOf({ SVC_EDGE_ADDRESSES, SVC_EDGE_CNAME, SVC_HOST }: Settings): Routing {
  const own = isIP(SVC_HOST) !== 0 && SVC_HOST !== '0.0.0.0' && SVC_HOST !== '::' ? [SVC_HOST] : []
  return { addresses: SVC_EDGE_ADDRESSES ?? own, cname: SVC_EDGE_CNAME }
}
