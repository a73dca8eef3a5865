/** The names at which the platform itself is reached: no team may claim them. */
import { isAtOrBelow } from '../names/domain-name.ts'
import type { Routing } from '../zones/edge-targets.ts'

/** `apiUrl` and `sitesUrl` are origins. */
export type Platform = { apiUrl: string; sitesUrl: string; routing: Routing; nameservers: string[] }

/**
 * Whether a name is at, below or above the API's or the sites', or the very name of a name server or of the edge: who had
 * proven one above could give out certificates and cookies for what is below.
 */
export function isPlatformName(
  domain: string,
  { apiUrl, sitesUrl, routing, nameservers }: Platform,
): boolean {
  if (nameservers.includes(domain) || routing.cname === domain) return true
  return [apiUrl, sitesUrl].some((url) => {
    const host = new URL(url).hostname.replace(/\.$/, '')
    return isAtOrBelow(domain, host) || isAtOrBelow(host, domain)
  })
}
