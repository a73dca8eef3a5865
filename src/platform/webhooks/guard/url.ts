/** Valid URLs of webhooks. */
import { isIP } from 'node:net'
import { isLocalName } from '../../../lib/names/local-name.ts'
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { isPublicAddress } from '../../../lib/net/public-address.ts'

const allowedPorts = ['', '8443']

/** Characters that `URL` would silently drop or escape. */
const unclean = /[\p{Cc}\s\\]/u

/**
 * The problem of `text` as the URL of a webhook; undefined if it is valid. With `allowPrivate` it may lead
 * anywhere, also over http. Names are not resolved here: that is done, and checked, for each connection.
 */
export function urlProblem(text: string, allowPrivate: boolean): string | undefined {
  const url = unclean.test(text) ? undefined : parseUrl(text)
  if (!url || !/^https?:\/\/[^/]/i.test(text)) return 'must be a URL such as https://example.com/webhooks'
  if (url.protocol !== 'https:' && !allowPrivate) return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password'
  if (text.includes('#')) return 'must not have a fragment'
  if (allowPrivate) return undefined
  if (!allowedPorts.includes(url.port)) return 'must have the port 443 or 8443'
  return hostProblem(url.hostname)
}

/** `host` as normalized by `URL`: any spelling of an IPv4 address is four decimal numbers by now. */
function hostProblem(host: string): string | undefined {
  const literal = host.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) {
    return isPublicAddress(literal) ? undefined : `must not lead to ${literal}, which is not a public address`
  }
  const name = host.replace(/\.$/, '')
  const isLocal = !name.includes('.') || isLocalName(name)
  return isLocal ? `must not lead to ${name}, which is not a public name` : undefined
}
