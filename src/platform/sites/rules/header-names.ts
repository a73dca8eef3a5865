/**
 * Headers that a site may not set: those that only the server knows are passed over, and those that would
 * affect others, or that a site would rely on in vain, are refused.
 */

const framing = 'the server decides on it for each response'
const validator = 'the server tells from the content whether it has changed'
const proxies = 'it controls proxies in front of the server'

/** Names in lower case, and why: without them visitors get the same. */
const passedOver = new Map<string, string>([
  ['accept-ranges', framing],
  ['age', framing],
  ['allow', framing],
  ['connection', framing],
  ['content-length', framing],
  ['content-range', framing],
  ['date', framing],
  ['keep-alive', framing],
  ['server', framing],
  ['te', framing],
  ['trailer', framing],
  ['transfer-encoding', framing],
  ['upgrade', framing],
  ['vary', framing],
  ['via', framing],
  ['etag', validator],
  ['last-modified', validator],
])

const refused = new Map<string, string>([
  ['alt-svc', 'it would redirect visitors to another server'],
  ['basic-auth', "the password would be public; use the project's protection"],
  ['location', 'write the redirect in _redirects'],
  ['set-cookie', 'shared caches would send one cookie to everybody'],
  ['www-authenticate', "use the project's protection"],
  ['x-sendfile', proxies],
  ['x-lighttpd-send-file', proxies],
  ['x-litespeed-location', proxies],
  ['x-reproxy-url', proxies],
])

const refusedPrefixes = new Map<string, string>([
  ['proxy-', proxies],
  ['x-accel-', proxies],
  ['x-svc-', 'the prefix is reserved for the service'],
])

/** Why the header `name` (lower case) of a site is passed over, set or removed; undefined if it isn't. */
export function passedOverReason(name: string): string | undefined {
  return passedOver.get(name)
}

/** Why a site may neither set nor remove the header `name` (lower case); undefined if it may. */
export function refusedReason(name: string): string | undefined {
  for (const [prefix, reason] of refusedPrefixes) if (name.startsWith(prefix)) return reason
  return refused.get(name)
}
