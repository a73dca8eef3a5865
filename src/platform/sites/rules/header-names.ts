/**
 * Headers that a site may not set, since only the server knows their value, or since they would affect
 * others.
 */

const framing = 'the server sets it for each response'
const validator = 'the server sets it from the content'
const proxies = 'it controls proxies in front of the server'

/** Names in lower case, and why. */
const owned = new Map<string, string>([
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

const ownedPrefixes = new Map<string, string>([
  ['proxy-', proxies],
  ['x-accel-', proxies],
  ['x-svc-', 'the prefix is reserved for the service'],
])

/** Why a site may not set or remove the header `name` (lower case), or undefined if it may. */
export function ownedReason(name: string): string | undefined {
  for (const [prefix, reason] of ownedPrefixes) if (name.startsWith(prefix)) return reason
  return owned.get(name)
}
