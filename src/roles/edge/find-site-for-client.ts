/**
 * Finds the site of a host for a client; made-up hosts are limited by its address, whichever way they come.
 */
import type { LookUp } from '../../platform/limits/limit-look-ups.ts'
import type { Site } from './find-site.ts'
import type { Sites } from './sites.ts'

/**
 * The site of a host, undefined if there is none. Hosts in memory are found whatever their client did before;
 * `address` is called for others. Rejects when the store is away, and with AppError `rate_limited`.
 */
export type FindSiteForClient = (host: string, address: () => string) => Promise<Site | undefined>

/** `lookUp` limits those of hosts that aren't in memory. */
export function createFindSiteForClient(
  sites: Pick<Sites, 'peek' | 'last' | 'get'>,
  lookUp: LookUp,
): FindSiteForClient {
  return async (host, address) => {
    const known = sites.peek(host)
    if (known) return known.value
    const get = () => sites.get(host)
    return sites.last(host) === undefined ? lookUp(address(), get) : get()
  }
}
