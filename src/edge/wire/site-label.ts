/** Reads a `Host` value down to the one label that stands before the sites' domain. */

/** RFC 3986, section 3.2.2, without percent-encoding and sub-delimiters: names of the DNS, and IP literals. */
const hostPattern = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::\d{0,5})?$/i

const labelPattern = /^[a-z0-9-]{1,63}$/

/**
 * The label, lower-cased, of `<label>.<sitesHost>`, whatever port and with or without the root's dot. 400 for what is no
 * host name at all, 404 for a name that isn't one label below `sitesHost` (itself lower-cased, without a port).
 */
export function readLabel(host: string, sitesHost: string): string | 400 | 404 {
  const name = hostPattern.exec(host)?.[1]?.toLowerCase()
  if (name === undefined) return 400
  if (!name.endsWith(sitesHost) || name[name.length - sitesHost.length - 1] !== '.') return 404
  const label = name.slice(0, -sitesHost.length - 1)
  return labelPattern.test(label) ? label : 404
}
