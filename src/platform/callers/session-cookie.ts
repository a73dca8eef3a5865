/** The session cookie, and its protection against cross-site requests. */
import { AppError } from '../../lib/errors.ts'
import { sessionLifetimeMs } from './session-lifetime.ts'

const cookieName = 'svc.session_token'

/** The prefix that browsers accept over TLS only (RFC 6265bis, section 4.1.3.1). */
const securePrefix = '__Secure-'

/**
 * The decoded session cookie of a `Cookie` header, for an API at `apiUrl`. Undefined if it is missing, or
 * ambiguous: repeated with different values.
 */
export function sessionCookie(field: string, apiUrl: string): string | undefined {
  const start = `${nameAt(apiUrl)}=`
  const values = field.split(';').flatMap((pair) => {
    const cookie = pair.trim()
    return cookie.startsWith(start) ? [cookie.slice(start.length)] : []
  })
  const [value] = values
  return value !== undefined && values.every((other) => other === value) ? decode(value) : undefined
}

/**
 * The other cookies of a `Cookie` header, and `withSession` the session's as `sessionCookie` reads it, so
 * that another parser of the field, which may take the first of several or remove quotes, can't find another
 * session.
 */
export function withOneSession(field: string, apiUrl: string, withSession: boolean): string {
  const names = [cookieName, `${securePrefix}${cookieName}`]
  const others = field.split(';').flatMap((pair) => {
    const cookie = pair.trim()
    const [name = ''] = cookie.split('=', 1)
    return cookie.includes('=') && !names.includes(name.trim()) ? [cookie] : []
  })
  const session = withSession ? sessionCookie(field, apiUrl) : undefined
  if (session !== undefined) others.push(`${nameAt(apiUrl)}=${encodeURIComponent(session)}`)
  return others.join('; ')
}

/**
 * The `Set-Cookie` header that makes a browser keep the session's cookie of a `Cookie` header as long as the
 * session lasts from now on; undefined if `sessionCookie` reads none. The cookie needn't be valid: a browser
 * may keep its own for as long as it likes.
 */
export function keptCookie(field: string, apiUrl: string): string | undefined {
  const session = sessionCookie(field, apiUrl)
  if (session === undefined) return undefined
  const secure = apiUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Max-Age=${sessionLifetimeMs / 1_000}; Path=/; HttpOnly; SameSite=Lax${secure}`
  return `${nameAt(apiUrl)}=${encodeURIComponent(session)}; ${attributes}`
}

/** The name of the cookie of an API at `apiUrl`. */
function nameAt(apiUrl: string): string {
  return `${apiUrl.startsWith('https:') ? securePrefix : ''}${cookieName}`
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

type FromBrowser = { origin?: string | undefined; 'sec-fetch-site'?: string | string[] | undefined }

/**
 * Whether a page of the API sent the request. Browsers send the origin with every request but plain
 * navigation (Fetch, section 3.2; Fetch Metadata, section 2.4).
 */
export function isOwnPage(headers: FromBrowser, apiUrl: string): boolean {
  return headers['sec-fetch-site'] === 'same-origin' || headers.origin === apiUrl
}

/**
 * Refuses cross-site requests with the cookie.
 * @throws AppError `origin_not_allowed`.
 */
export function checkOrigin(method: string, headers: FromBrowser, apiUrl: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (isOwnPage(headers, apiUrl)) return
  throw new AppError(
    'origin_not_allowed',
    `With a session's cookie only pages of ${apiUrl} may change something. ` +
      'Use an API key or a JWT elsewhere.',
  )
}
