/** Answers that say in a short text why there is no file; none of them tells what is inside. */
import type { RedirectStatus } from '../../../lib/net/redirect-statuses.ts'
import { cacheControl, type SiteResponse, type Visibility } from './response.ts'

const texts = {
  400: 'This request is malformed.',
  401:
    "This deployment is protected. Send its team's API key as Authorization: Bearer <key>, or the " +
    "project's bypass secret as x-svc-bypass: <secret>, or open the URL once with ?x-svc-bypass=<secret>.",
  404: 'Not found.',
  405: 'Only GET and HEAD are allowed here.',
  429: 'Too many requests for unknown addresses. Try again in a moment.',
  431: 'This request has too many header fields.',
  500: 'Internal error.',
  502: 'The server behind this path gave no answer.',
  503: 'Service unavailable. Try again in a moment.',
  504: 'The server behind this path took too long to answer.',
  508: 'This request goes round in a loop: it has been passed on too often.',
} as const

type Status = keyof typeof texts

const extraHeaders: Partial<Record<Status, string[]>> = {
  // The end of an ambiguous request is uncertain: nothing behind it on the connection is read.
  400: ['Connection', 'close'],
  401: ['WWW-Authenticate', 'Bearer'],
  405: ['Allow', 'GET, HEAD'],
  429: ['Retry-After', '1'],
  431: ['Connection', 'close'],
  503: ['Retry-After', '1'],
}

/**
 * A short text with this status; not cacheable, except a public 404, which caches may store and revalidate.
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
 * For a file that its store has lost, until the site is deployed again: without Retry-After, since waiting
 * doesn't help.
 */
export function lostFileResponse(): SiteResponse {
  const text = 'This file of the site is missing in its store: the site has to be deployed again.\n'
  return withText(plainResponse(500), text)
}

/** The same, which is worth another try after so many seconds. */
export function withRetryAfter(answer: SiteResponse, seconds: number): SiteResponse {
  const headers = answer.headers.filter((_, at, all) => all[at - (at % 2)] !== 'Retry-After')
  return { ...answer, headers: [...headers, 'Retry-After', String(seconds)] }
}

/** The same with another text, of ASCII. */
export function withText({ status, headers }: SiteResponse, text: string): SiteResponse {
  const at = headers.indexOf('Content-Length') + 1
  return { status, headers: headers.with(at, String(text.length)), body: [text] }
}

/**
 * Redirects: with 308 (RFC 9110, section 15.4.9) unless the status says otherwise; cacheable only until the
 * next promotion.
 */
export function redirectResponse(
  location: string,
  visibility: Visibility,
  status: RedirectStatus = 308,
): SiteResponse {
  return {
    status,
    headers: ['Location', location, 'Cache-Control', cacheControl[visibility], 'Content-Length', '0'],
    body: [],
  }
}

/**
 * Redirects to the URL without the secret, and sets the cookie that grants access.
 */
export function enterResponse(location: string, cookie: string): SiteResponse {
  const headers = ['Location', location, 'Set-Cookie', cookie, 'Cache-Control', cacheControl.private]
  return {
    status: 303,
    headers: [...headers, 'Referrer-Policy', 'no-referrer', 'Content-Length', '0'],
    body: [],
  }
}
