/** Parses a `Host` to the key of a site: the label below the sites' domain, or a domain. */
import { isAtOrBelow } from '../../../lib/names/domain-name.ts'

/**
 * RFC 3986, section 3.2.2, without percent-encoding and sub-delimiters: names of the DNS, and IP literals.
 */
const hostPattern = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::\d{0,5})?$/

/** Names that can be claimed: at least two labels of letters, digits and hyphens, the last one no number. */
const domainPattern =
  /^((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[\d-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.?(?::\d{0,5})?$/

const maxDomainCharacters = 253

export type ReadHost = (host: string) => string | 400 | 404

/**
 * Returns a parser of hosts, in any case, with any port, with or without the trailing dot: to the label of
 * `<label>.<sitesHost>` (itself lower-cased, without a port), or a name that isn't at or below it; only the
 * latter has a dot. It returns 400 for an invalid host name, and 404 for one that can be neither.
 */
export function createReadHost(sitesHost: string): ReadHost {
  const domain = sitesHost.replace(/[^a-z0-9-]/g, '\\$&')
  const sitePattern = new RegExp(`^([a-z0-9-]{1,63})\\.${domain}\\.?(?::\\d{0,5})?$`)
  return (host) => {
    const text = host.toLowerCase()
    const label = sitePattern.exec(text)?.[1]
    if (label !== undefined) return label
    const name = domainPattern.exec(text)?.[1]
    if (name === undefined) return hostPattern.test(text) ? 404 : 400
    return name.length > maxDomainCharacters || isAtOrBelow(name, sitesHost) ? 404 : name
  }
}

/** Whether a parsed host is a domain. */
export function isDomain(host: string): boolean {
  return host.includes('.')
}
