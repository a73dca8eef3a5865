/** The certificate of a host that a client names in its handshake (SNI; RFC 6066, section 3). */
import type { FindContext } from '../../lib/tls/tls-server.ts'
import type { ServedCertificates } from '../../platform/certificates/secure-contexts.ts'
import type { FindSiteForClient } from './find-site-for-client.ts'
import { createReadHost, isDomain } from './wire/site-host.ts'

type Options = {
  findSite: FindSiteForClient
  served: Pick<ServedCertificates, 'contextOf' | 'untilIssued'>
  /** The host below which the sites are. */
  sitesHost: string
  /** Whether a name is covered by the operator's own certificate. */
  isCovered: (name: string) => boolean
}

/**
 * Finds the certificate of a site's host: the wildcard's, or a domain's own; undefined for the operator's. A
 * name that nobody owns is looked up as any site is, within the same limit, and has none.
 */
export function createCertificateOf({ findSite, served, sitesHost, isCovered }: Options): FindContext {
  const readHost = createReadHost(sitesHost)
  const wildcard = `*.${sitesHost}`
  return async (host, client) => {
    const site = readHost(host)
    if (host === sitesHost || (typeof site === 'string' && !isDomain(site))) {
      return isCovered(host) ? undefined : await served.contextOf(wildcard)
    }
    if (typeof site === 'number' || !(await findSite(site, () => client))) return 'unrecognized'
    const context = await served.untilIssued(site)
    return context || isCovered(site) ? context : 'unrecognized'
  }
}
