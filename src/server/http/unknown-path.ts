/** Distinguishes unknown paths from known ones with another method. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { ServerDeps } from '../deps.ts'
import { limitAddress } from '../limit-requests.ts'

type KnownPath = { pattern: RegExp; methods: Set<string> }

/**
 * Responds 405 with `Allow` at every path of a route of `app`, else 404; before the body is read, since it needs no
 * authentication, and within the address's rate limit. Call it before routes are added.
 */
export function refuseUnknownPaths(app: FastifyInstance, { limits, services }: ServerDeps): void {
  const limiting = { limits, observe: services.observe }
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) path.methods.add(each)
    known.set(url, path)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || lacksParameter(request))
      limitAddress(limiting, { request, reply }, (limited) => done(limited ?? refusal(request, reply)))
    else done()
  })

  function refusal(request: FastifyRequest, reply: FastifyReply): AppError {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((each) => [...each.methods])
    if (methods.length === 0) return new AppError('unknown_path', `Unknown path ${path}. See /docs.`)
    const allow = [...new Set(methods)].sort().join(', ')
    reply.header('allow', allow)
    return new AppError('method_not_allowed', `${request.method} is not allowed here; use ${allow}.`)
  }
}

/** The router also accepts an empty parameter, as in a path that ends with a slash. */
function lacksParameter({ params }: FastifyRequest): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('')
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.+')}$`)
}
