/**
 * Sends files of the dashboard, compressed where the client accepts it, and conditionally (RFC 9110, section
 * 13).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keptCookie } from '../../../platform/callers/session-cookie.ts'
import { acceptedForms } from '../../../stores/blobs/accept-encoding.ts'
import type { Coding } from '../../../stores/blobs/encodings.ts'
import { matchesEtag } from '../http/etag.ts'
import { isForData, isNavigation } from '../http/navigation.ts'
import { isolation } from '../pages/isolation.ts'
import type { Dashboard, FoundFile } from './dashboard.ts'
import type { DashboardFile } from './manifest.ts'

/** Next.js puts a digest of their contents into the names of these. */
const hashed = /^_next\/static\//

/** The page for unknown paths. */
const notFoundName = '404.html'

/** `apiUrl` is the public address of the API. */
type Exchange = { request: FastifyRequest; reply: FastifyReply; apiUrl: string }

/**
 * Sends the file for the path of a GET or HEAD request; returns whether there is one. A path that differs
 * from a page's by a slash at its end is redirected there.
 */
export async function sendPath(dashboard: Dashboard, exchange: Exchange): Promise<boolean> {
  const { url } = exchange.request
  const [path = ''] = url.split('?', 1)
  const name = path.slice(1)
  const page = name.replace(/\/$/, '')
  const found = await dashboard.find(page, isForData(exchange.request))
  if (found && page === name) await sendFile(dashboard, exchange, found)
  else if (found) exchange.reply.redirect(`/${page}${url.slice(path.length)}`, 308)
  return found !== undefined
}

/** Sends the page for unknown paths to a browser that navigates; returns whether it did. */
export async function sendNotFoundPage(dashboard: Dashboard, exchange: Exchange): Promise<boolean> {
  if (!exchange.request.headers.accept?.includes('text/html')) return false
  const found = await dashboard.find(notFoundName, false)
  if (found) await sendFile(dashboard, exchange, found)
  return found !== undefined
}

async function sendFile(
  dashboard: Dashboard,
  { request, reply, apiUrl }: Exchange,
  { name, file }: FoundFile,
): Promise<FastifyReply> {
  const coding = chooseCoding(file, request.headers['accept-encoding'])
  const etag = `"${file.sha256}${coding === undefined ? '' : `-${coding}`}"`
  const status = name === notFoundName ? 404 : 200
  request.operation = 'dashboard'
  reply.code(status).headers({
    etag,
    vary: 'accept-encoding',
    ...(hashed.test(name)
      ? { 'cache-control': 'public, max-age=31536000, immutable' }
      : headersOfPage(request, apiUrl)),
    'content-security-policy': file.csp,
    'content-type': file.type,
    'referrer-policy': 'same-origin',
    ...isolation,
  })
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding !== undefined) reply.header('content-encoding', coding)
  if (request.method === 'GET') return reply.send(await dashboard.read(file, coding))
  return reply.header('content-length', (coding && file.encoded[coding]) ?? file.size).send()
}

/**
 * A page that a browser navigates to makes the session's cookie last, since calls can't set one. Requests in
 * the background don't: their responses would undo a sign-in in another tab. No shared cache may keep such a
 * response.
 */
function headersOfPage(request: FastifyRequest, apiUrl: string): Record<string, string> {
  const { cookie } = request.headers
  const kept = cookie && isNavigation(request) ? keptCookie(cookie, apiUrl) : undefined
  return kept ? { 'cache-control': 'private, no-cache', 'set-cookie': kept } : { 'cache-control': 'no-cache' }
}

/** The best coding that the client accepts and the file has; undefined for the uncompressed bytes. */
function chooseCoding({ encoded }: DashboardFile, accepting: string | undefined): Coding | undefined {
  for (const form of acceptedForms(accepting)) {
    if (form === 'identity') return undefined
    if (encoded[form] !== undefined) return form
  }
  return undefined
}
