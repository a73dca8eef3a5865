/** Media types of files whose names have no extension, by the specifications that name them. */

const json = 'application/json'
const text = 'text/plain'

/** Names below `.well-known/` (IANA, Well-Known URIs). */
const wellKnown = new Map([
  // Apple, Supporting associated domains.
  ['apple-app-site-association', json],
  ['apple-developer-merchantid-domain-association', text],
  // OpenID Connect Discovery 1.0; RFC 8414; RFC 9728.
  ['openid-configuration', json],
  ['openid-credential-issuer', json],
  ['openid-federation', 'application/entity-statement+jwt'],
  ['oauth-authorization-server', json],
  ['oauth-protected-resource', json],
  ['uma2-configuration', json],
  ['jwks', 'application/jwk-set+json'],
  // RFC 7033, RFC 6415.
  ['webfinger', 'application/jrd+json'],
  ['host-meta', 'application/xrd+xml'],
  ['nodeinfo', json],
  // RFC 9727.
  ['api-catalog', 'application/linkset+json'],
  // W3C Web Authentication, related origins; passkey endpoints.
  ['webauthn', json],
  ['passkey-endpoints', json],
  ['traffic-advice', 'application/trafficadvice+json'],
  ['atproto-did', text],
  ['discord', text],
  ['gpc', json],
  ['mercure', json],
  ['matrix/client', json],
  ['matrix/server', json],
  ['matrix/support', json],
])

/** Directories below `.well-known/` whose files have one type. */
const directories = new Map([
  ['lnurlp', json],
  ['oauth-authorization-server', json],
  ['oauth-protected-resource', json],
])

const directory = '.well-known/'

/** Apple's clients also look for it at the root. */
const atRoot = 'apple-app-site-association'

/** The type of the well-known file at `path`, if it is one of these. */
export function wellKnownType(path: string): string | undefined {
  if (path === atRoot) return wellKnown.get(atRoot)
  if (!path.startsWith(directory)) return undefined
  const name = path.slice(directory.length)
  if (name.includes('.')) return undefined
  const [first = ''] = name.split('/')
  return wellKnown.get(name) ?? (first === name ? undefined : directories.get(first))
}
