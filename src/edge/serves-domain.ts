/** Tells whether a name is somebody's domain here: what has to be known before a certificate is obtained for it. */
import type { Sites } from './sites.ts'
import { createReadHost, isDomain } from './wire/site-host.ts'

/**
 * Returns what looks a name (spelled in any way that a `Host` may be) up among the domains that are verified and lead
 * somewhere. It rejects when a store is away.
 */
export function createServesDomain(sites: Sites, sitesUrl: string): (name: string) => Promise<boolean> {
  const readHost = createReadHost(new URL(sitesUrl).hostname)
  return async (name) => {
    const host = readHost(name)
    return typeof host === 'string' && isDomain(host) && (await sites.get(host)) !== undefined
  }
}
