/** Tells whether a name is a served domain, before a certificate is obtained for it. */
import type { Sites } from './sites.ts'
import { createReadHost, isDomain } from './wire/site-host.ts'

/**
 * Returns a lookup of a name (in any spelling of a `Host`) among verified domains with a target. It rejects
 * when a store is unavailable.
 */
export function createServesDomain(sites: Sites, sitesUrl: string): (name: string) => Promise<boolean> {
  const readHost = createReadHost(new URL(sitesUrl).hostname)
  return async (name) => {
    const host = readHost(name)
    return typeof host === 'string' && isDomain(host) && (await sites.get(host)) !== undefined
  }
}
