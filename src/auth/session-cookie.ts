/** The cookie of a signed-in person, and the check that a request which changes something was meant by that person. */
import { AppError } from '../errors.ts'

const cookieName = 'svc.session_token'

/** The prefix that browsers take over TLS only (RFC 6265bis, section 4.1.3.1). */
const securePrefix = '__Secure-'

/**
 * The decoded value of the session's cookie in a `Cookie` field, for an API at `apiUrl`. Undefined without one, and with
 * several that differ: nobody could say whose the request is.
 */
export function sessionCookie(field: string, apiUrl: string): string | undefined {
  const start = `${apiUrl.startsWith('https:') ? securePrefix : ''}${cookieName}=`
  const values = field.split(';').flatMap((pair) => {
    const cookie = pair.trim()
    return cookie.startsWith(start) ? [cookie.slice(start.length)] : []
  })
  const [value] = values
  return value !== undefined && values.every((other) => other === value) ? decode(value) : undefined
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
 * Refuses what another site makes a browser send along with the cookie. Browsers tell of every request but plain
 * navigation where it came from (Fetch, section 3.2; Fetch Metadata, section 2.4).
 * @throws AppError `origin_not_allowed`.
 */
export function checkOrigin(method: string, headers: FromBrowser, apiUrl: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (headers['sec-fetch-site'] === 'same-origin' || headers.origin === apiUrl) return
  throw new AppError(
    'origin_not_allowed',
    `With a session's cookie only pages of ${apiUrl} may change something. Others send an API key or a JWT.`,
  )
}
