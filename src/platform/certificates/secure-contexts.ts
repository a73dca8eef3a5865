/** The certificates in use: of each name, from a bounded cache, as TLS takes them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import { and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { secureContext } from '../../lib/tls/certificate.ts'
import { createFreshCache } from '../../stores/cache/fresh-cache.ts'
import { staleWhileAway } from '../../stores/cache/stale-while-away.ts'
import { unseal } from '../../stores/data-dir/seal.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { certificates } from '../../stores/db/schema/certificates.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import type { Store } from '../../stores/db/store.ts'
import { createContextCollector } from './collect-contexts.ts'
import { keyPlace } from './order-certificate.ts'

export type ServedCertificates = {
  /**
   * The certificate of a name, as TLS needs it; the name may be a wildcard. Undefined without a certificate.
   */
  contextOf(name: string): Promise<SecureContext | undefined>
  /** The same, but while the first certificate is on order, a visitor waits for it, at most ten seconds. */
  untilIssued(name: string): Promise<SecureContext | undefined>
  /** Whether a name has a certificate, if that is in memory; undefined if it isn't. */
  peek(name: string): boolean | undefined
  has(name: string): Promise<boolean>
  /** Has all contexts made anew, with other keys of session tickets. */
  useTicketKeys(keys: Buffer): void
  stop(): void
}

/** Limits the effect of a lost notification. */
const maxAgeMs = 900
const maxNames = 20_000

/** Anybody can invent names. */
const maxLoads = 200

/** A context takes 31 to 40 kB, and about a millisecond to make. */
const maxContexts = 1_000

/** A row of the database. `digest` tells a certificate from others of the name; null while there is none. */
type Known = { source: string; digest: string | null; isOnOrder: boolean }

const waitMs = 10_000
const lookEveryMs = 250

type Options = {
  /** Seals keys. */
  key: Buffer
  ticketKeys: Buffer
  sessionIdContext: string
  /** Whether certificates are ordered here. */
  isOrdering: boolean
  /** How long names are served while the database is away, in milliseconds. */
  maxStaleMs: number
  /** This process's share of the memory of a node, from 0 to 1. */
  share?: number | undefined
}

/** Certificates of a store, found by notifications of changes. */
export function createServedCertificates(
  { lookUps, changes }: Pick<Store, 'lookUps' | 'changes'>,
  { key, sessionIdContext, isOrdering, maxStaleMs, share = 1, ...options }: Options,
): ServedCertificates {
  let { ticketKeys } = options
  const cache = createFreshCache<Known | undefined>({
    maxAgeMs,
    maxLoads,
    maxEntries: maxNames,
    load: async (name) =>
      (await findKnown(lookUps, name)) ?? (isOrdering ? findWanted(lookUps, name) : undefined),
  })
  const get = staleWhileAway(cache, { maxStaleMs, isAway: isStoreAway })
  const contexts = new LRUCache<string, Promise<SecureContext>>({
    max: Math.ceil(maxContexts * share),
    dispose: createContextCollector(),
  })

  async function contextOf(name: string): Promise<SecureContext | undefined> {
    const known = await get(name)
    if (!known || known.digest === null) return undefined
    const place = `${name} ${known.source} ${known.digest}`
    const made = contexts.get(place)
    if (made) return made
    const context = makeContext(name, known)
    contexts.set(place, context)
    context.catch(() => contexts.delete(place))
    return context
  }

  async function makeContext(name: string, { source }: Known): Promise<SecureContext> {
    const [row] = await chainQuery(lookUps).execute({ name, source })
    if (row?.chain == null || row.keySealed === null) throw new Error(`${name} has no certificate any more.`)
    const certificate = { cert: row.chain, key: unseal(key, keyPlace(name, source), row.keySealed) }
    return createSecureContext({ ...secureContext(certificate), ticketKeys, sessionIdContext })
  }

  const stop = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'certificate') cache.forget(id)
      if (kind === 'domain') cache.forgetWhere((_, name) => name === id || name.endsWith(`.${id}`))
    },
    missed: cache.expireAll,
  })
  return {
    contextOf,
    async untilIssued(name) {
      const endMs = performance.now() + waitMs
      for (;;) {
        const context = await contextOf(name)
        if (context || performance.now() > endMs || !cache.last(name)?.value?.isOnOrder) return context
        await sleep(lookEveryMs)
      }
    },
    peek(name) {
      const known = cache.peek(name)
      return known && hasCertificate(known.value)
    },
    has: async (name) => hasCertificate(await get(name)),
    useTicketKeys(keys) {
      ticketKeys = keys
      contexts.clear()
    },
    stop,
  }
}

function hasCertificate(known: Known | undefined): boolean {
  return known !== undefined && known.digest !== null
}

async function findKnown(lookUps: Store['lookUps'], name: string): Promise<Known | undefined> {
  const [row] = await knownQuery(lookUps).execute({ name })
  return row
}

/** A domain whose certificate is about to be ordered. */
async function findWanted(lookUps: Store['lookUps'], domain: string): Promise<Known | undefined> {
  const [row] = await wantedQuery(lookUps).execute({ domain })
  return row && { source: 'acme', digest: null, isOnOrder: true }
}

const wantedQuery = prepared((db) =>
  db
    .select({ id: domains.id })
    .from(domains)
    .where(
      and(
        eq(domains.domain, sql.placeholder('domain')),
        isNotNull(domains.verifiedMs),
        eq(domains.configured, true),
        eq(domains.certificateWanted, false),
      ),
    )
    .prepare('certificate_wanted'),
)

/** The team's own certificate wins. That of a domain counts only while it is its team's. */
const knownQuery = prepared((db) =>
  db
    .select({
      source: certificates.source,
      digest: sql<string | null>`md5(${certificates.chain})`,
      isOnOrder: sql<boolean>`(${certificates.chain} is null and ${certificates.errorReason} is null)`,
    })
    .from(certificates)
    .leftJoin(domains, eq(domains.id, certificates.domainId))
    .where(
      and(
        eq(certificates.name, sql.placeholder('name')),
        or(isNull(certificates.domainId), isNotNull(domains.verifiedMs)),
      ),
    )
    .orderBy(sql`${certificates.chain} is null`, desc(certificates.source))
    .limit(1)
    .prepare('certificate_known'),
)

const chainQuery = prepared((db) =>
  db
    .select({ chain: certificates.chain, keySealed: certificates.keySealed })
    .from(certificates)
    .where(
      and(eq(certificates.name, sql.placeholder('name')), eq(certificates.source, sql.placeholder('source'))),
    )
    .prepare('certificate_chain'),
)
