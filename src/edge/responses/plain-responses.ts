/** Answers that say in a short text why there is no file; none of them tells what is inside. */
import { cacheControl, type SiteResponse, type Visibility } from './response.ts'

const texts = {
  400: 'This request is malformed.',
  401:
    "This deployment is protected. Send its team's API key as Authorization: Bearer <key>, or the project's " +
    'bypass secret as x-svc-bypass: <secret>, or open the address once with ?x-svc-bypass=<secret>.',
  404: 'There is nothing at this address.',
  405: 'Only GET and HEAD are allowed here.',
  429: 'Your address asks for too much that there is not. Try again in a moment.',
  431: 'This request has too many header fields.',
  500: "Something went wrong on our side. It isn't your request's fault.",
  503: "This can't be answered right now. Try again in a moment.",
} as const

type Status = keyof typeof texts

const extraHeaders: Partial<Record<Status, string[]>> = {
  // What can't be read without doubt may not end where we think: nothing behind it on the connection is read.
  400: ['Connection', 'close'],
  401: ['WWW-Authenticate', 'Bearer'],
  405: ['Allow', 'GET, HEAD'],
  429: ['Retry-After', '1'],
  431: ['Connection', 'close'],
  503: ['Retry-After', '1'],
}

/**
 * A short text with this status; kept by no cache, but for a public 404, which caches may keep to revalidate
 * it.
 */
export function plainResponse(status: Status, visibility: Visibility = 'public'): SiteResponse {
  const text = `${texts[status]}\n`
  const headers = [
    'Content-Type',
    'text/plain; charset=utf-8',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Length',
    String(text.length),
    'Cache-Control',
    status === 404 ? cacheControl[visibility] : visibility === 'private' ? cacheControl.private : 'no-store',
    ...(extraHeaders[status] ?? []),
  ]
  return { status, headers, body: [text] }
}

/**
 * Leads to another address: for good, with 308 (RFC 9110, section 15.4.9), unless the status says otherwise; but
 * never past the next promote.
 */
export function redirectResponse(
  location: string,
  visibility: Visibility,
  status: 301 | 302 | 303 | 307 | 308 = 308,
): SiteResponse {
  return {
    status,
    headers: ['Location', location, 'Cache-Control', cacheControl[visibility], 'Content-Length', '0'],
    body: [],
  }
}

/**
 * Leads to the clean address and sets the cookie that opens it, leaving no trace of the secret on the way.
 */
export function enterResponse(location: string, cookie: string): SiteResponse {
  const headers = ['Location', location, 'Set-Cookie', cookie, 'Cache-Control', cacheControl.private]
  return {
    status: 303,
    headers: [...headers, 'Referrer-Policy', 'no-referrer', 'Content-Length', '0'],
    body: [],
  }
}
