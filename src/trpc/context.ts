/** What every procedure is given: the services of the node, and who is calling. */
import type { Jwts } from '../auth/jwt/jwts.ts'
import type { Principal } from '../auth/principal.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { KnownBlobs } from '../blobs/known-blobs.ts'
import type { StorageLimits } from '../blobs/quota.ts'
import type { RemovalClock } from '../clock/removal.ts'
import type { Store } from '../db/store.ts'
import type { FileCaps } from '../deployments/plan-files.ts'
import type { DomainResolver } from '../domains/check/resolver.ts'
import type { Remember } from '../idempotency/once.ts'
import type { ApiObserver } from '../observability/observers.ts'
import type { Routing } from '../zones/edge-targets.ts'

/**
 * What a node has, the same for every request. Addresses are origins, keys 32 bytes. `jwts` is undefined where no secret
 * is set, and JWTs are enforced where it isn't.
 */
export type Services = {
  store: Store
  blobs: BlobStore
  knownBlobs: KnownBlobs
  /** How much teams may store. */
  storage: StorageLimits
  apiUrl: string
  sitesUrl: string
  /** Where domains must point to. */
  routing: Routing
  /** The names to which domains are delegated; none where there is no name server. */
  nameservers: string[]
  /** Asked about domains. */
  resolver: DomainResolver
  /** Asked before anything goes for its age. */
  removal: Pick<RemovalClock, 'ask'>
  /** Whether names and addresses of private networks are claimed and shown. */
  resolvePrivate: boolean
  envKey: Buffer
  uploadKey: Buffer
  webhookKey: Buffer
  /** Whether webhooks may lead to private addresses. */
  webhooksAllowPrivate: boolean
  jwts: Jwts | undefined
  caps: FileCaps
  /** A sentence on why this node can't build, where it should. */
  buildProblem: () => Promise<string | undefined>
  /** How many deployments of a team may wait for their build. */
  maxQueuedBuilds: number
  observe: ApiObserver
  /** For how many days counts of requests to sites are kept. */
  metricsDays: number
  nowMs: () => number
}

export type Context = {
  services: Services
  principal: Principal
  /** How often the team may call, and how many calls it has left. */
  limit: { perSecond: number; burst: number; remaining: number }
  requestId: string
  /** The client's. */
  address: string
  /** As it was sent; what it may be is checked where it has an effect. */
  idempotencyKey: string | undefined
  /** Whether the key can stand for the call, which it can't for one of a batch, nor for a stream. */
  takesKey: boolean
  /** Where the call has such a key: the last step of the transaction that is the call's effect. */
  remember: Remember | undefined
  /**
   * For a call that has waited: its credential counts when it is used.
   * @throws AppError `unauthorized`, `team_not_found`, `store_unavailable`.
   */
  authenticateAgain(): Promise<void>
  /** Aborts when the client goes away or the node stops. */
  signal: AbortSignal
}
