/** Mounts sign-in at `/auth`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { providerId } from '../../../platform/people/oidc.ts'
import { basePath } from '../../../platform/people/paths.ts'
import { invalidInput } from '../../trpc/error-body.ts'
import { limitAddress } from '../caller/limit-requests.ts'
import { countAs } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { acceptOnlyJson, bodyLimitsOf } from '../http/json-body.ts'
import { answerWithPages } from '../pages/error-pages.ts'
import { forward, passCookies } from './browser-request.ts'
import { mountCodePage } from './code-page.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { mountErrorPage } from './error-page.ts'
import { mountForgotPage } from './forgot-page.ts'
import { acceptForms } from './form-body.ts'
import { mountJoinPage } from './join-page.ts'
import { mountKeepAccount } from './keep-account.ts'
import { mountLinkPage } from './link-page.ts'
import { onlyOwnPages } from './own-pages.ts'
import { mountPasskeyScript } from './passkey-script.ts'
import { mountSignInPage } from './sign-in-page.ts'
import { mountStopMailsPage } from './stop-mails-page.ts'
import { mountVisitPage } from './visit-page.ts'

const maxJsonBytes = 8 * 1024

/** Adds the sign-in endpoints and pages, all rate limited like anonymous requests. */
export function mountAuth(app: FastifyInstance, deps: ServerDeps): void {
  const { people, limits, services } = deps
  const limiting = { limits, observe: services.observe }
  app.register(async (scope) => {
    scope.addHook('onRequest', countAs('auth'))
    scope.addHook('onRequest', (request, reply, done) => limitAddress(limiting, { request, reply }, done))
    acceptOnlyJson(scope, { ...bodyLimitsOf(deps), maxJsonBytes })
    scope.register(async (pages) => mountPages(pages, deps))
    scope.register(async (pages) => mountStopMailsPage(pages, deps))
    scope.get(`${basePath}/providers`, async () => ({
      password: true,
      oidc: people.providerName === undefined ? null : { id: providerId, name: people.providerName },
    }))
    for (const endpoint of endpoints) {
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => answer(deps, endpoint, request, reply),
      })
    }
  })
}

/** The pages, whose errors are pages, too. */
function mountPages(scope: FastifyInstance, deps: ServerDeps): void {
  answerWithPages(scope, deps.log)
  scope.addHook('onRequest', onlyOwnPages(deps))
  acceptForms(scope, deps.bodies, deps.timeouts.bodyMs)
  mountSignInPage(scope, deps)
  mountCodePage(scope, deps)
  mountPasskeyScript(scope)
  mountLinkPage(scope, deps)
  mountKeepAccount(scope, deps)
  mountJoinPage(scope, deps)
  mountErrorPage(scope)
  mountVisitPage(scope, deps)
  if (deps.services.mails) mountForgotPage(scope, deps.services.mails)
}

async function answer(
  deps: ServerDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { method, path, via, body, output } = endpoint
  const input = body?.safeParse(request.body ?? {})
  if (input?.error) throw invalidInput(input.error)
  // The path that was matched, however it was spelled; only the provider's answer comes in a query.
  const query = output ? '' : queryOf(request.url)
  const response = await forward(deps, request, { method, url: path + query, body: input?.data, via })
  passCookies(response, reply)
  const location = response.headers.get('location')
  if (!output && location !== null) return reply.code(302).header('location', location).send()
  if (!output || !response.ok) throw new Error(`better-auth responded ${response.status}`)
  return output.parse(await response.json())
}

/** The query of a request target with its question mark; empty without one. */
function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}
