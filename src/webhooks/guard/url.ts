/** Which addresses a webhook may have. */
import { isIP } from 'node:net'
import { isLocalName } from '../../names/local-name.ts'
import { isPublicAddress } from '../../net/public-address.ts'

const allowedPorts = ['', '8443']

/** What `URL` would silently leave out, or escape. */
const unclean = /[\p{Cc}\s\\]/u

/**
 * What is wrong with `text` as the URL of a webhook; undefined where nothing is. With `allowPrivate` it may lead anywhere,
 * also over http. A name is not resolved here: that is done, and checked, for each connection.
 */
export function urlProblem(text: string, allowPrivate: boolean): string | undefined {
  const url = unclean.test(text) || !URL.canParse(text) ? undefined : new URL(text)
  if (!url || !/^https?:\/\/[^/]/i.test(text)) return 'must be a URL such as https://example.com/webhooks'
  if (url.protocol !== 'https:' && !allowPrivate) return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password'
  if (text.includes('#')) return 'must not have a fragment'
  if (allowPrivate) return undefined
  if (!allowedPorts.includes(url.port)) return 'must have the port 443 or 8443'
  return hostProblem(url.hostname)
}

/** `host` as `URL` gives it: any spelling of an IPv4 address is four decimal numbers by now. */
function hostProblem(host: string): string | undefined {
  const literal = host.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) {
    return isPublicAddress(literal) ? undefined : `must not lead to ${literal}, which is not a public address`
  }
  const name = host.replace(/\.$/, '')
  const isLocal = !name.includes('.') || isLocalName(name)
  return isLocal ? `must not lead to ${name}, which is not a public name` : undefined
}
