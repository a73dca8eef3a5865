/** Reads a `Host` value down to what a site is found by: the label before the sites' domain, or a domain of its own. */
import { isAtOrBelow } from '../../names/domain-name.ts'

/**
 * RFC 3986, section 3.2.2, without percent-encoding and sub-delimiters: names of the DNS, and IP literals.
 */
const hostPattern = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::\d{0,5})?$/

/** Names that can be claimed: at least two labels of letters, digits and hyphens, the last of them no number. */
const domainPattern =
  /^((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[\d-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.?(?::\d{0,5})?$/

const maxDomainCharacters = 253

export type ReadHost = (host: string) => string | 400 | 404

/**
 * Returns what reads a host, whatever case it is in, whatever port it has, with or without the root's dot: the label of
 * `<label>.<sitesHost>` (itself lower-cased, without a port), or a name that isn't at or below it; only the latter has a
 * dot. It gives 400 for what is no host name at all, and 404 for what can be neither.
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

/** Whether a host that was read is a domain of its own. */
export function isDomain(host: string): boolean {
  return host.includes('.')
}
