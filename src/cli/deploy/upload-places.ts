/**
 * Where the files that a server asks for may be sent: its answer alone never leads to another host, or to an
 * inner one.
 */
import { isIP } from 'node:net'
import { parseUrl } from '../../lib/names/parse-url.ts'
import { failed } from '../command-failure.ts'

/** A presigned upload to a bucket. */
export type Direct = { url: string; headers: Record<string, string> }

/** The headers of a presigned upload; none of them decides where a request goes, or whose it is. */
const allowedHeader = /^(x-amz-[a-z0-9-]+|content-type|content-md5|content-digest|digest)$/i
const maxHeaders = 16

/** Names in the query of a presigned URL (AWS Signature Version 4). */
const allowedParameter = /^(x-amz-[a-z0-9-]+|x-id)$/i

const maxLength = 8_192

/**
 * The address of an upload at `server`. The host of `given` is that of the server's public address, which may
 * be another name than the one it was reached by; it is not used.
 * @throws Failure if it is no address of an upload.
 */
export function uploadAddress(server: string, given: unknown): string {
  const url = typeof given === 'string' ? parseUrl(given) : undefined
  if (url && /^\/uploads\/[\w-]+$/.test(url.pathname)) return new URL(url.pathname + url.search, server).href
  throw failed('The server sent no valid address for an upload.')
}

/**
 * The upload to a bucket that `server` offers, if it is one: over https (or over http, from a server that is
 * itself reached so), presigned, with no other headers than those of such an upload. `isAllowed` judges a
 * host that is an address; names are judged when they are looked up.
 */
export function checkDirect(
  server: string,
  { url: text, headers }: { url: unknown; headers: unknown },
  isAllowed: (address: string) => boolean,
): Direct | undefined {
  if (typeof text !== 'string' || !isClean(text) || text.includes('#')) return undefined
  const url = parseUrl(text)
  if (!url) return undefined
  const isEncrypted = url.protocol === 'https:'
  if (!isEncrypted && !(url.protocol === 'http:' && new URL(server).protocol === 'http:')) return undefined
  if (url.username !== '' || url.password !== '' || !isPresigned(url)) return undefined
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isAllowed(literal)) return undefined
  const checked = checkHeaders(headers)
  return checked && { url: url.href, headers: checked }
}

function isPresigned({ pathname, searchParams }: URL): boolean {
  const names = [...searchParams.keys()]
  const isSigned = names.some((name) => name.toLowerCase() === 'x-amz-signature')
  return isSigned && pathname.length > 1 && names.every((name) => allowedParameter.test(name))
}

function checkHeaders(headers: unknown): Record<string, string> | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) return undefined
  if (!entries.every(([name, value]) => allowedHeader.test(name) && isClean(value))) return undefined
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** Printable ASCII without what URLs would drop or change. */
function isClean(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxLength && /^[\x20-\x5b\x5d-\x7e]*$/.test(value)
}
