/** Looks names up in the DNS for servers. */
import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises'
import type { Answer } from 'dns-packet'
import { hasCode } from '../../../lib/has-code.ts'
import type { Resolve } from '../../../lib/net/resolve.ts'

/** The outcome for a name: its records, if any; or there is no such name, or nothing can be known now. */
export type Found = { records: Answer[] } | 'no name' | 'failed'

/** Types of records whose data isn't an address. */
export const recordTypes = ['CNAME', 'MX', 'NS', 'SRV', 'TXT'] as const

type LookedUpType = (typeof recordTypes)[number]

export type LookUp = {
  /** Whether a name has addresses; the records are left out. */
  addresses(name: string): Promise<Found>
  records(name: string, type: LookedUpType): Promise<Found>
}

const tryLimitMs = 2_000
const tries = 2
const ttl = 60

/** `resolve` has the addresses; other records are those of `servers`, by default the system's resolvers. */
export function createLookUp(resolve: Resolve, servers: string[] | undefined): LookUp {
  const resolver = new Resolver({ timeout: tryLimitMs, tries })
  if (servers) resolver.setServers(servers)

  const kinds: { [Type in LookedUpType]: (name: string) => Promise<Answer[]> } = {
    CNAME: async (name) =>
      (await resolver.resolveCname(name)).map((data) => ({ type: 'CNAME', name, ttl, data })),
    NS: async (name) => (await resolver.resolveNs(name)).map((data) => ({ type: 'NS', name, ttl, data })),
    TXT: async (name) => (await resolver.resolveTxt(name)).map((data) => ({ type: 'TXT', name, ttl, data })),
    MX: async (name) =>
      (await resolver.resolveMx(name)).map(({ priority: preference, exchange }) => ({
        type: 'MX',
        name,
        ttl,
        data: { preference, exchange },
      })),
    SRV: async (name) =>
      (await resolver.resolveSrv(name)).map(({ name: target, ...data }) => ({
        type: 'SRV',
        name,
        ttl,
        data: { ...data, target },
      })),
  }

  return {
    addresses: (name) =>
      resolve(name).then(
        () => ({ records: [] }),
        (error: unknown) => outcomeOf(error instanceof Error ? error.cause : undefined),
      ),
    records: (name, type) => kinds[type](name).then((records) => ({ records }), outcomeOf),
  }
}

function outcomeOf(error: unknown): Found {
  if (hasCode(error, NOTFOUND)) return 'no name'
  return hasCode(error, NODATA) ? { records: [] } : 'failed'
}
