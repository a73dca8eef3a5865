/** The header of a request that is passed on: the visitor's, and what this platform says of the visitor. */
import { endToEnd, type Field, keyOf } from './fields.ts'

/** The client of a request, as the server learns of it. */
type Visitor = {
  /** The client's address. */
  address: string
  /** The requested host, as it was sent. */
  host: string
  isSecure: boolean
}

/** How long a body is: `length` bytes, or until its last chunk; neither where there is none. */
type Body = { length: string | undefined; isChunked: boolean }

type Options = {
  /** The `Host` that the server gets. */
  host: string
  visitor: Visitor
  /** Whether the visitor's cookies are for the server, too. */
  mayHaveCookies: boolean
  /** Whether the visitor's `Authorization` is for the server. */
  mayAuthorize: boolean
  body: Body
}

/** The fields that a request for a WebSocket has in addition, as alternating names and values. */
export const webSocketFields = ['Connection', 'Upgrade', 'Upgrade', 'websocket']

/** This platform in `CDN-Loop` (RFC 8586). */
const loopToken = 'svc'

/** So many times a request may be passed on before it counts as a loop. */
const maxPassed = 5

/** Fields that only this server may set, and those that it sets anew. */
const ownFields = /^(?:host|forwarded|x-forwarded-.*|x-real-ip|x-svc-.*|cdn-loop|content-length)$/

/** A key or a token of this platform. */
const ownSecret = /^svc_/

/**
 * The fields for the server, as alternating names and values; undefined for a request that was
 * passed on so often that it goes round in a loop.
 */
export function requestFields(
  rawHeaders: readonly string[],
  { host, visitor, mayHaveCookies, mayAuthorize, body }: Options,
): string[] | undefined {
  const given = endToEnd(rawHeaders)
  const loop = valuesOf(given, 'cdn-loop')
  if (loop.filter((each) => each.split(';')[0]?.trim() === loopToken).length >= maxPassed) return undefined
  const kept = given.filter(([name, value]) => isKept(keyOf(name), value, mayAuthorize))
  const cookies = mayHaveCookies ? ownCookies(given) : ''
  const fields: Field[] = [
    ['Host', host],
    ...kept,
    ...cookieFields(cookies),
    ...bodyFields(body),
    ['X-Forwarded-For', visitor.address],
    ['X-Forwarded-Host', visitor.host],
    ['X-Forwarded-Proto', visitor.isSecure ? 'https' : 'http'],
    ['Forwarded', forwarded(visitor)],
    ['CDN-Loop', [...loop, loopToken].join(', ')],
  ]
  return fields.flat()
}

function isKept(key: string, value: string, mayAuthorize: boolean): boolean {
  if (key === 'authorization') return mayAuthorize && !isOfPlatform(value)
  return key !== 'cookie' && !ownFields.test(key)
}

function cookieFields(cookies: string): Field[] {
  return cookies === '' ? [] : [['Cookie', cookies]]
}

/** Whether an `Authorization` is for this platform. */
function isOfPlatform(authorization: string): boolean {
  const [scheme = '', text = ''] = authorization.trim().split(/ +/, 2)
  if (scheme.toLowerCase() !== 'basic') return ownSecret.test(text)
  return Buffer.from(text, 'base64')
    .toString('latin1')
    .split(':')
    .some((each) => ownSecret.test(each))
}

/** Over HTTP/2 each cookie may have a field of its own (RFC 9113, section 8.2.3). */
function ownCookies(fields: readonly Field[]): string {
  return fields
    .flatMap(([name, value]) => (keyOf(name) === 'cookie' ? value.split(';') : []))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !isPlatformCookie(pair))
    .join('; ')
}

/** Whether a cookie, or a pair that begins with its name, is one that this platform sets. */
export function isPlatformCookie(pair: string): boolean {
  return /^(?:__Host-|__Secure-)?svc[_.]/i.test(pair)
}

/** How the body is delimited, as the visitor's was. */
function bodyFields({ length, isChunked }: Body): Field[] {
  if (length !== undefined) return [['Content-Length', length]]
  return isChunked ? [['Transfer-Encoding', 'chunked']] : []
}

/** RFC 7239. */
function forwarded({ address, host, isSecure }: Visitor): string {
  const node = address.includes(':') ? `"[${address}]"` : address
  return `for=${node};host="${host.replace(/["\\]/g, '')}";proto=${isSecure ? 'https' : 'http'}`
}

function valuesOf(fields: readonly Field[], key: string): string[] {
  return fields
    .flatMap(([name, value]) => (keyOf(name) === key ? value.split(',') : []))
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
