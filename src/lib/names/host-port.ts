/** Host names with ports. */

/** A lower-case host name without trailing dot, and a port. */
export type HostPort = { name: string; port: number }

export const httpsPort = 443

/**
 * Parses `name` or `name:port`, with the port of HTTPS by default; undefined if it isn't that. Names aren't
 * checked.
 */
export function parseHostPort(text: string): HostPort | undefined {
  const [, name = '', digits] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text.trim().toLowerCase()) ?? []
  const port = digits === undefined ? httpsPort : Number(digits)
  if (name === '' || port < 1 || port > 65_535) return undefined
  return { name: name.replace(/\.$/, ''), port }
}
