/** `/hooks/deploy/<secret>`: other systems have a project deployed again. The secret is the whole proof. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { fetchForHook } from '../../../platform/forges/deliveries/fetch-for-hook.ts'
import { findRepository } from '../../../platform/forges/find-repository.ts'
import { deployHookPath } from '../../../platform/hooks/address.ts'
import { findDeployHook, type KnownHook } from '../../../platform/hooks/find-hook.ts'
import { runDeployHook } from '../../../platform/hooks/run-hook.ts'
import { withinDeadline } from '../../trpc/deadline.ts'
import { limitAddress } from '../caller/limit-requests.ts'
import { countAs } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { unknownPath } from '../http/unknown-path.ts'
import { discardBody } from './discard-body.ts'

type HookRoute = { Params: { secret: string } }

/**
 * Adds the route. Each request draws from the limit of its address, so that secrets can't be guessed; an
 * unknown one gets the response of any unknown path, before its body is read.
 */
export function mountHooks(app: FastifyInstance, deps: ServerDeps): void {
  const { services, limits, timeouts } = deps
  const limiting = { limits, observe: services.observe }
  const known = new WeakMap<FastifyRequest, KnownHook>()

  async function find(request: FastifyRequest<HookRoute>): Promise<void> {
    const hook = await withinDeadline(findDeployHook(services.store.db, request.params.secret))
    if (!hook) throw unknownPath(request.url)
    known.set(request, hook)
  }

  async function run(request: FastifyRequest<HookRoute>, reply: FastifyReply): Promise<unknown> {
    const hook = known.get(request)
    if (!hook) throw new Error('A deploy hook was run before it was looked up.')
    refuseKey(request)
    await discardBody(request, timeouts.bodyMs)
    const from = { address: request.address, requestId: request.id }
    const answer = await withinDeadline(runHook(hook, from)).catch((error: unknown) => {
      throw hasEnded(error) ? unknownPath(request.url) : error
    })
    return reply.code(answer.status).send(answer.body)
  }

  /** Runs a hook; the sources of a project that is connected to a repository are fetched again. */
  async function runHook(
    hook: KnownHook,
    from: { address: string; requestId: string },
  ): Promise<{ status: number; body: object }> {
    const repository = await findRepository(services.store.db, hook.projectId)
    if (repository) {
      const ofRepository = { ...hook, repository: repository.url }
      return { status: 202, body: await fetchForHook(services, ofRepository, from) }
    }
    const { deployment, isNew } = await runDeployHook(services, hook, from)
    const { id, url, state } = deployment
    return { status: isNew ? 201 : 200, body: { deployment: id, url, state } }
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async () => undefined)
    scope.addHook('onRequest', countAs('hook'))
    scope.addHook('onRequest', (request, reply, done) => limitAddress(limiting, { request, reply }, done))
    scope.post<HookRoute>(`${deployHookPath}/:secret`, { onRequest: find }, run)
  })
}

/** Nothing is stored for repeats: they get the deployment that is queued, without a key. */
function refuseKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined) return
  throw invalidField(
    'Idempotency-Key',
    'is not taken here: a repeat gets the deployment that is queued already',
  )
}

function hasEnded(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'deploy_hook_not_found'
}
