/** The state that the roles of a node share: settings, stores, clocks, caches, limits, counters. */
import { isIP } from 'node:net'
import type { DashboardPlace } from '../../api/server/dashboard/dashboard.ts'
import type { Timeouts } from '../../api/server/http/timeouts.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { createReach, type Reach } from '../../lib/net/lookup-scope.ts'
import { createUnreadLimits, type UnreadLimits, unreadBytesOf } from '../../lib/net/unread/limits.ts'
import type { Environment } from '../../lib/settings/parse.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { usableMemory } from '../../lib/usable-memory.ts'
import { createPrincipals, type Principals } from '../../platform/callers/authenticate.ts'
import { createJwts, type Jwts } from '../../platform/callers/jwt/jwts.ts'
import { createLastUses, type LastUses } from '../../platform/callers/last-used.ts'
import { createIdentities } from '../../platform/callers/workloads/identities.ts'
import { trustedIssuers } from '../../platform/callers/workloads/issuers.ts'
import { createDomainResolver, type DomainResolver } from '../../platform/domains/check/resolver.ts'
import type { ForgeFetch } from '../../platform/forges/api/forge-fetch.ts'
import { openForgeWays } from '../../platform/forges/api/open-ways.ts'
import { createRefusalCounter, type RefusalCounter } from '../../platform/forges/refusals/count.ts'
import { type ForgeAccess, openForgeAccess } from '../../platform/git/forge-access.ts'
import {
  createGitKeepers,
  type GitKeepers,
  type GitProcesses,
  gitProcessesOf,
} from '../../platform/git/git-leases.ts'
import { createRepositoryBounds, type RepositoryBounds } from '../../platform/git/repository-bounds.ts'
import { limitGitMemory } from '../../platform/git/run-git.ts'
import { limitsStoreOf, ownRatesOf, policiesOf } from '../../platform/limits/limits-from-settings.ts'
import { type Limits, openLimits } from '../../platform/limits/open-limits.ts'
import { createOwnLimits, type OwnLimits } from '../../platform/limits/own-limits.ts'
import { type Outboxes, openOutboxes } from '../../platform/mail/open-mail.ts'
import { createTrafficCounter, type TrafficCounter } from '../../platform/observability/metrics/count.ts'
import { createUids, type Uids } from '../../platform/sandbox/uids.ts'
import type { Servers } from '../../platform/servers/servers.ts'
import { createIdentify } from '../../platform/trust/identify.ts'
import type { Routing } from '../../platform/zones/edge-targets.ts'
import { createSites, type Sites } from '../../roles/edge/sites.ts'
import { createRemovalClock, type RemovalClock } from '../../stores/clock/removal.ts'
import { gitOf } from './data-places.ts'
import type { Installation } from './installation.ts'
import { createObservers, type Observers } from './metrics.ts'
import type { Parts } from './parts.ts'
import { type NodeCertificates, openServedCertificates } from './served-certificates.ts'

/** The parameters of a node's start. */
type Given = {
  settings: Settings
  /** The source of the settings. */
  environment: Environment
  installation: Installation
  log: Logger
  nowMs: () => number
  timeouts: Timeouts
  dashboard: DashboardPlace
  /** Aborts when the node begins to stop. */
  stopping: AbortSignal
  /** The state that several processes of a node share; undefined where the node is one process. */
  together?: Together | undefined
}

/** The state that the processes of a node share. */
type Together = {
  /** The limits that the first process keeps. */
  limits: OwnLimits
  /** The part of what a node may hold in memory that this process may hold. */
  share: number
  /** The keepers of the node's places for git, which the first process lends. */
  gitKeepers: GitKeepers
  /** The uids of sandboxes, which the first process hands out. */
  sandboxUids: Uids
  /** The servers of deployments, which the first process runs. */
  servers: Servers
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
  lastUsed: LastUses
  traffic: TrafficCounter
  forgeRefusals: RefusalCounter
  /** Undefined where the settings have no secret for them. */
  jwts: Jwts | undefined
  /** The buckets that a node keeps itself. */
  ownLimits: OwnLimits
  limits: Limits
  principals: Principals
  /** The addresses of the issuers whose identity tokens are taken. */
  trustedIssuers: readonly string[]
  /** Undefined where the settings name no server for mails. */
  outboxes: Outboxes | undefined
  /** Where commits may be fetched from. */
  forges: ForgeAccess
  gitProcesses: GitProcesses
  /** The keepers of this node's places for git. */
  gitKeepers: GitKeepers
  /** The uids that sandboxed programs of this node run as. */
  sandboxUids: Uids
  /** How much the repositories of this node may hold. */
  repositories: RepositoryBounds
  /** The way to the API of the forge at an address. */
  forgeFetchFor: (url: string) => ForgeFetch
  sites: Sites
  /** The bytes that clients of the API and the edge leave unread. */
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
  const lastUsed = createLastUses(db)
  for (const { flush } of Object.values(lastUsed)) parts.add({ close: flush })
  const traffic = createTrafficCounter({ db, nowMs, log })
  parts.add({ close: traffic.flush })
  const forgeRefusals = createRefusalCounter({ db, nowMs })
  parts.add({ close: forgeRefusals.flush })
  const { SVC_JWT_SECRET: secret, SVC_JWT_SECRET_PREVIOUS: previous } = settings
  const jwts = secret === undefined ? undefined : await createJwts(secret, previous)
  const ownLimits = given.together?.limits ?? createOwnLimits(ownRatesOf(settings))
  const limits = await openLimits({
    policies: policiesOf(settings),
    own: ownLimits,
    store: limitsStoreOf(settings),
    log,
  })
  parts.add(limits)
  const identities = createIdentities(trustedIssuers(settings.SVC_OIDC_TRUST))
  const identify = createIdentify({ db, identities, nowMs })
  const principals = createPrincipals({ store, lastUsed, jwts, identify, lookUps: limits.lookUps, nowMs })
  const outboxes = openOutboxes(settings, log)
  if (outboxes) parts.add(outboxes)
  const sites = createSites(store, settings.SVC_STALE_S * 1_000)
  parts.add({ close: sites.stop })
  const unread = createUnreadLimits({ ...unreadBytesOf(given.together?.share ?? 1), log })
  parts.add({ close: async () => unread.stop() })
  const forges = await openForgeAccess(settings)
  const forgeWays = openForgeWays({ access: forges, resolvers: servers })
  parts.add({ close: forgeWays.close })
  const gitProcesses = gitProcessesOf(settings.SVC_GIT_PROCESSES, usableMemory())
  limitGitMemory(gitProcesses.bytes)
  const certificates = await openServedCertificates({ ...given, share: given.together?.share })
  if (certificates) parts.add(certificates)
  return {
    ...given,
    observers: createObservers(),
    removal,
    routing,
    reach,
    resolver,
    lastUsed,
    traffic,
    forgeRefusals,
    jwts,
    ownLimits,
    limits,
    principals,
    trustedIssuers: identities.issuers,
    outboxes,
    forges,
    gitProcesses,
    gitKeepers: given.together?.gitKeepers ?? createGitKeepers(gitProcesses),
    sandboxUids: given.together?.sandboxUids ?? createUids(),
    repositories: createRepositoryBounds(gitOf(settings)),
    forgeFetchFor: forgeWays.fetchFor,
    sites,
    unread,
    certificates,
  }
}

/** By default domains should point to this node's listen address, if that is one address. */
function routingOf({ SVC_EDGE_ADDRESSES, SVC_EDGE_CNAME, SVC_HOST }: Settings): Routing {
  const own = isIP(SVC_HOST) !== 0 && SVC_HOST !== '0.0.0.0' && SVC_HOST !== '::' ? [SVC_HOST] : []
  return { addresses: SVC_EDGE_ADDRESSES ?? own, cname: SVC_EDGE_CNAME }
}
