/** The context of every procedure: the services of the node, and the caller. */

import type { Jwts } from '../../platform/callers/jwt/jwts.ts'
import type { Principal } from '../../platform/callers/principal.ts'
import type { FileCaps, SentZip } from '../../platform/deployments/check-files.ts'
import type { DomainResolver } from '../../platform/domains/check/resolver.ts'
import type { ForgeFetch } from '../../platform/forges/api/forge-fetch.ts'
import type { RefusalCounter } from '../../platform/forges/refusals/count.ts'
import type { Remember } from '../../platform/idempotency/once.ts'
import type { Turns } from '../../platform/limits/turns.ts'
import type { ApiObserver } from '../../platform/observability/observers.ts'
import type { Mails } from '../../platform/people/mails/mails.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import type { Room } from '../../platform/projects/room-to-keep.ts'
import type { Routing } from '../../platform/zones/edge-targets.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { KnownBlobs } from '../../stores/blobs/known-blobs.ts'
import type { StorageLimits } from '../../stores/blobs/quota.ts'
import type { RemovalClock } from '../../stores/clock/removal.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Feeds } from '../../stores/events/live/feeds.ts'
import type { Tokens } from './spend-token.ts'

/**
 * The services of a node, shared by all requests. Addresses are origins, keys 32 bytes. `jwts` is undefined
 * without a JWT secret; with one, JWTs are enforced.
 */
export type Services = SiteUrls & {
  store: Store
  blobs: BlobStore
  knownBlobs: KnownBlobs
  /** Storage quotas by plan. */
  storage: StorageLimits
  apiUrl: string
  /** The addresses and names that domains must resolve to. */
  routing: Routing
  /** The name servers that domains are delegated to; empty without a name server. */
  nameservers: string[]
  /** The resolvers for domain checks. */
  resolver: DomainResolver
  /** The clock for deletions by age. */
  removal: Pick<RemovalClock, 'ask'>
  /** Whether private names can be claimed, and private addresses appear in responses. */
  resolvePrivate: boolean
  envKey: Buffer
  uploadKey: Buffer
  webhookKey: Buffer
  /** Seals the secrets of second factors. */
  factorKey: Buffer
  /** Authenticates challenges for passkeys. */
  passkeyKey: Buffer
  /** Seals keys of certificates. */
  certificateKey: Buffer
  /** Whether webhooks may deliver to private addresses. */
  webhooksAllowPrivate: boolean
  /** The way to the API of the forge at an address. */
  forgeFetchFor: (url: string) => ForgeFetch
  /** Counts what is refused of that which comes to projects' hooks. */
  forgeRefusals: RefusalCounter
  /** How many calls of this process wait for forges at once. */
  registrations: Turns
  jwts: Jwts | undefined
  /** The addresses of the issuers whose identity tokens may be trusted. */
  trustedIssuers: readonly string[]
  /** The name of the OpenID provider, if there is one. */
  providerName: string | undefined
  /** Undefined where no mail can be sent. */
  mails: Mails | undefined
  caps: FileCaps
  /** Why this node can't build; undefined if it can. */
  buildProblem: () => Promise<string | undefined>
  /** Why this node's builds can't install packages; undefined if they can, or it has none. */
  installProblem: string | undefined
  /** How many deployments of a team may be queued. */
  maxQueuedBuilds: number
  serverRoom: Room
  observe: ApiObserver
  /** The streams of events that are open on this node. */
  feeds: Feeds
  /** For how many days counts of requests to sites are kept. */
  metricsDays: number
  nowMs: () => number
}

export type Context = {
  services: Services
  /** The authenticated caller; the guard of procedures refuses a call without one. */
  principal: Principal | undefined
  /** The caller's rate limit, and how many requests it has left. */
  limit: () => { perSecond: number; burst: number; remaining: number }
  /** The tokens that the request drew from that limit, which its calls spend. */
  tokens: Tokens
  requestId: string
  /** The client's address. */
  address: string
  /** The client's User-Agent. */
  agent: string | undefined
  /** The Idempotency-Key header as sent; validated where it is used. */
  idempotencyKey: string | undefined
  /** The zip of a deployment, if the request was one. */
  zip: SentZip | undefined
  /** Stores the response for the call's Idempotency-Key; the last step of the call's transaction. */
  remember: Remember | undefined
  /**
   * Checks the credential again, for a call that has waited, and resolves to the caller of now.
   * @throws AppError `unauthorized`, `team_not_found`, `store_unavailable`.
   */
  authenticateAgain(): Promise<Principal>
  /**
   * Aborts when the client disconnects or the node stops. A function, as `limit` is, since few calls need it:
   * to make one, or a getter for one, costs more than the rest of the context.
   */
  signal: () => AbortSignal
}
