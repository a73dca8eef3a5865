/** Reads a `Host` value down to the one label that stands before the sites' domain. */

/**
 * RFC 3986, section 3.2.2, without percent-encoding and sub-delimiters: names of the DNS, and IP literals.
 */
const hostPattern = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::\d{0,5})?$/

export type ReadLabel = (host: string) => string | 400 | 404

/**
 * Returns what reads the label of `<label>.<sitesHost>`, whatever case it is in, whatever port it has, with
 * or without the root's dot. It gives 400 for what is no host name at all, and 404 for a name that isn't one
 * label below `sitesHost` (itself lower-cased, without a port).
 */
export function createReadLabel(sitesHost: string): ReadLabel {
  const domain = sitesHost.replace(/[^a-z0-9-]/g, '\\$&')
  const sitePattern = new RegExp(`^([a-z0-9-]{1,63})\\.${domain}\\.?(?::\\d{0,5})?$`)
  return (host) => {
    const name = host.toLowerCase()
    return sitePattern.exec(name)?.[1] ?? (hostPattern.test(name) ? 404 : 400)
  }
}
