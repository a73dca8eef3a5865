/** Requests to better-auth in the name of a browser's. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inRequest } from '../../../lib/async/request-scope.ts'
import { withOneSession } from '../../../platform/callers/session-cookie.ts'
import { addressHeader } from '../../../platform/people/paths.ts'
import { withinDeadline } from '../../trpc/deadline.ts'
import type { ServerDeps } from '../deps.ts'

/** Headers that identify the client and the page. */
const forwarded = ['authorization', 'origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']

/** The longest stored user agent. */
const maxAgentLength = 300

/** `url` is a path with its query; `method` the endpoint's own, since HEAD is treated like GET. */
type Call = { method: string; url: string; body?: unknown; via: 'password' | 'provider' }

/** The response to the browser's own request. @throws AppError */
export function forward(deps: ServerDeps, request: FastifyRequest, call: Call): Promise<Response> {
  const headers = clientHeaders(request)
  for (const name of forwarded) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const { apiUrl } = deps.services
  const { cookie, authorization } = request.headers
  // With both, the API looks at the Authorization alone.
  passCookie(headers, cookie, { apiUrl, withSession: authorization === undefined })
  return send(deps, request, call, headers)
}

/**
 * The response to a form of our own pages. Its origin is the API's whatever address the browser knows it by:
 * call it after `onlyOwnPages`. Cookies are sent only where the form acts on what they are: on a session
 * (`session`), or on a sign-in under way (`others`).
 * @throws AppError
 */
export function submit(
  deps: ServerDeps,
  request: FastifyRequest,
  call: Call & { cookies?: 'session' | 'others' },
): Promise<Response> {
  const headers = clientHeaders(request)
  const { apiUrl } = deps.services
  headers.set('origin', apiUrl)
  if (call.cookies !== undefined) {
    passCookie(headers, request.headers.cookie, { apiUrl, withSession: call.cookies === 'session' })
  }
  return send(deps, request, call, headers)
}

function passCookie(
  headers: Headers,
  field: string | undefined,
  { apiUrl, withSession }: { apiUrl: string; withSession: boolean },
): void {
  const passed = field === undefined ? '' : withOneSession(field, apiUrl, withSession)
  if (passed !== '') headers.set('cookie', passed)
}

/** Passes the cookies of better-auth's response on to the browser. */
export function passCookies(response: Response, reply: FastifyReply): FastifyReply {
  const cookies = response.headers.getSetCookie()
  return cookies.length > 0 ? reply.header('set-cookie', cookies) : reply
}

function clientHeaders(request: FastifyRequest): Headers {
  const agent = (request.headers['user-agent'] ?? '').slice(0, maxAgentLength)
  return new Headers({ [addressHeader]: request.address, 'user-agent': agent })
}

function send(
  { people, services }: ServerDeps,
  request: FastifyRequest,
  { method, url, body, via }: Call,
  headers: Headers,
): Promise<Response> {
  if (body !== undefined) headers.set('content-type', 'application/json')
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const sent = new Request(`${services.apiUrl}${url}`, init)
  return inRequest(request.id, () => withinDeadline(people.answer(sent, via)))
}
