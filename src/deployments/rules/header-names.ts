/** Which headers a site may not set, since only the server can tell what is true, or since others would pay for it. */

const framing = 'the server sets it for each answer'
const validator = 'the server sets it from the content'
const proxies = 'it is an order to a proxy in front of the server'

/** Names in lower case, and why. */
const owned = new Map<string, string>([
  ['accept-ranges', framing],
  ['age', framing],
  ['allow', framing],
  ['connection', framing],
  ['content-encoding', framing],
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
  ['alt-svc', 'it would lead visitors away from this server'],
  ['basic-auth', "everybody would see the password; use the project's protection"],
  ['location', 'write the redirect in _redirects'],
  ['set-cookie', 'caches that people share would give one cookie to everybody'],
  ['www-authenticate', "use the project's protection"],
  ['x-sendfile', proxies],
  ['x-lighttpd-send-file', proxies],
  ['x-litespeed-location', proxies],
  ['x-reproxy-url', proxies],
])

const ownedPrefixes = new Map<string, string>([
  ['proxy-', proxies],
  ['x-accel-', proxies],
  ['x-svc-', 'names that begin so are those of the service'],
])

/** Why a site may not set or take away the header `name` (lower case), or undefined where it may. */
export function ownedReason(name: string): string | undefined {
  for (const [prefix, reason] of ownedPrefixes) if (name.startsWith(prefix)) return reason
  return owned.get(name)
}
