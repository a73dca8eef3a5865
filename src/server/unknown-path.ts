/** Tells an unknown path from a known one that was asked with another method. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { ServerDeps } from './deps.ts'
import { sendError } from './errors.ts'

type KnownPath = { pattern: RegExp; methods: Set<string> }

/** Answers 405 with `Allow` at every path that a route of `app` serves, else 404. Call it before routes are added. */
export function answerUnknownPaths(app: FastifyInstance, { log }: ServerDeps): void {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) path.methods.add(each)
    known.set(url, path)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((each) => [...each.methods])
    if (methods.length === 0) {
      return sendError(
        log,
        new AppError('unknown_path', `There is nothing at ${path}. See /docs.`),
        request,
        reply,
      )
    }
    const allow = [...new Set(methods)].sort().join(', ')
    const error = new AppError('method_not_allowed', `${request.method} is not allowed here; use ${allow}.`)
    return sendError(log, error, request, reply.header('allow', allow))
  })
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.+')}$`)
}
