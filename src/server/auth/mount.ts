/** Mounts sign-in at `/auth`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inRequest } from '../../async/request-scope.ts'
import { providerId } from '../../auth/people/oidc.ts'
import { addressHeader, basePath } from '../../auth/people/paths.ts'
import { withinDeadline } from '../../trpc/deadline.ts'
import { invalidInput } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { acceptOnlyJson } from '../http/json-body.ts'
import { limitAddress } from '../limit-requests.ts'
import { countAs } from '../request-state.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { mountErrorPage } from './error-page.ts'
import { mountLinkPage } from './link-page.ts'

const maxJsonBytes = 8 * 1024

/** Adds the sign-in endpoints and pages, all rate limited like anonymous requests. */
export function mountAuth(app: FastifyInstance, deps: ServerDeps): void {
  const { people, limits, services, timeouts, bodies } = deps
  const limiting = { limits, observe: services.observe }
  app.register(async (scope) => {
    scope.addHook('onRequest', countAs('auth'))
    scope.addHook('onRequest', (request, reply, done) => limitAddress(limiting, { request, reply }, done))
    acceptOnlyJson(scope, { maxJsonBytes, bodyTimeoutMs: timeouts.bodyMs, bodies })
    mountLinkPage(scope, deps)
    mountErrorPage(scope)
    scope.get(`${basePath}/providers`, async () => ({
      password: true,
      oidc: people.providerName === undefined ? null : { id: providerId, name: people.providerName },
    }))
    for (const endpoint of endpoints) {
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => inRequest(request.id, () => answer(deps, endpoint, request, reply)),
      })
    }
  })
}

async function answer(
  { people, services }: ServerDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { method, via, body, output } = endpoint
  const input = body?.safeParse(request.body ?? {})
  if (input?.error) throw invalidInput(input.error)
  const response = await withinDeadline(
    people.answer(webRequest(services.apiUrl, request, method, input?.data), via),
  )
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  const location = response.headers.get('location')
  if (!output && location !== null) return reply.code(302).header('location', location).send()
  if (!output || !response.ok) throw new Error(`better-auth responded ${response.status}`)
  return output.parse(await response.json())
}

/** Headers that identify the client and the page. */
const forwarded = [
  'cookie',
  'authorization',
  'origin',
  'referer',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
]

/** The longest stored user agent. */
const maxAgentLength = 300

/** `method` is the endpoint's own: HEAD is treated like GET. */
function webRequest(apiUrl: string, request: FastifyRequest, method: string, body: unknown): Request {
  const headers = new Headers({ [addressHeader]: request.address })
  for (const name of forwarded) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set('user-agent', (request.headers['user-agent'] ?? '').slice(0, maxAgentLength))
  const url = `${apiUrl}${request.url}`
  if (body === undefined) return new Request(url, { method, headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}
