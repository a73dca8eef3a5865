/** The platform's own names, which no team may claim. */
import { isAtOrBelow } from '../../lib/names/domain-name.ts'
import type { Routing } from '../zones/edge-targets.ts'

/** `apiUrl` and `sitesUrl` are origins. */
export type Platform = { apiUrl: string; sitesUrl: string; routing: Routing; nameservers: string[] }

/**
 * Whether a name is at, below or above the API's or the sites', or exactly a name server's or the edge's: the
 * owner of one above could get certificates and set cookies for names below.
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
