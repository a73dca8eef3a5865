/** Distinguishes paths of the dashboard, unknown ones, and known ones with another method. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { basePath } from '../../platform/people/paths.ts'
import { limitAddress } from './caller/limit-requests.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import { sendNotFoundPage, sendPath } from './dashboard/send-file.ts'
import type { ServerDeps } from './deps.ts'
import { unknownPath } from './http/unknown-path.ts'

type KnownPath = { pattern: RegExp; methods: Set<string> }

/**
 * Responds with the dashboard's file at every path that no route of `app` has or stands above, else 405 with
 * `Allow` at every path of a route, else 404; before the body is read, since it needs no authentication. Call
 * it before routes are added.
 *
 * A path that is no file of the dashboard draws from the address's rate limit. Files don't: there is a fixed
 * number of them, they come from memory or one read, and a page with its scripts takes more of them at once
 * than an address may request.
 */
export function refuseUnknownPaths(app: FastifyInstance, { limits, services, dashboard }: ServerDeps): void {
  const limiting = { limits, observe: services.observe }
  const known = new Map<string, KnownPath>()
  /** The first segments of the routes' paths. */
  const owned = new Set<string>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) path.methods.add(each)
    known.set(url, path)
    owned.add(firstSegment(url))
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && dashboard && isForPeople(request)) {
      tryDashboard(dashboard, request, reply).then((refused) => refused && done(refused), done)
    } else if (request.is404 || lacksParameter(request)) {
      limitAddress(limiting, { request, reply }, (limited) => done(limited ?? refusal(request, reply)))
    } else done()
  })

  /** Whether a browser may visit it: a path of the dashboard, or one beside the pages to sign in. */
  function isForPeople(request: FastifyRequest): boolean {
    const { method, url } = request
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead && (mayBePage(request) || firstSegment(decodedPath(url)) === firstSegment(basePath))
  }

  function mayBePage({ url }: FastifyRequest): boolean {
    return !owned.has(firstSegment(decodedPath(url)))
  }

  /** The refusal, or undefined where a response was sent. */
  async function tryDashboard(
    pages: Dashboard,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AppError | undefined> {
    const exchange = { request, reply, apiUrl: services.apiUrl }
    if (mayBePage(request) && (await sendPath(pages, exchange))) return undefined
    const limited = await new Promise<AppError | undefined>((resolve) =>
      limitAddress(limiting, exchange, resolve),
    )
    if (limited) return limited
    const refused = refusal(request, reply)
    const isUnknown = refused.reason === 'unknown_path'
    return isUnknown && (await sendNotFoundPage(pages, exchange)) ? undefined : refused
  }

  function refusal(request: FastifyRequest, reply: FastifyReply): AppError {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(decodedPath(path)))
      .flatMap((each) => [...each.methods])
    if (methods.length === 0) return unknownPath(path)
    const allow = [...new Set(methods)].sort().join(', ')
    reply.header('allow', allow)
    return new AppError('method_not_allowed', `${request.method} is not allowed here; use ${allow}.`)
  }
}

/** The path as the router compares it: decoded but for what separates parts of a URL. */
function decodedPath(url: string): string {
  return decodeURI(url.split('?', 1)[0] ?? '')
}

function firstSegment(url: string): string {
  return /^\/([^/?]*)/.exec(url)?.[1] ?? ''
}

/** The router also accepts an empty parameter, as in a path that ends with a slash. */
function lacksParameter({ params }: FastifyRequest): boolean {
  return isRecord(params) && Object.values(params).includes('')
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.+')}$`)
}
