/** `/hooks/git/<project id>`: forges send what happens in the repository of a project. */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { letOthersRun } from '../../../lib/async/let-others-run.ts'
import { AppError, type Reason } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { receiveDelivery } from '../../../platform/forges/deliveries/receive.ts'
import { planOf } from '../../../platform/forges/deliveries/work.ts'
import type { ForgeEvent } from '../../../platform/forges/events/event.ts'
import { matchRepository } from '../../../platform/forges/events/match-repository.ts'
import { readEvent } from '../../../platform/forges/events/read-event.ts'
import { verifyDelivery } from '../../../platform/forges/events/verify-delivery.ts'
import { findRepository, type KnownRepository } from '../../../platform/forges/find-repository.ts'
import type { RefusalKind } from '../../../platform/forges/refusals/kinds.ts'
import { logGit } from '../../../platform/git/log-lines.ts'
import { forgeHookPath } from '../../../platform/projects/forge-hook.ts'
import { openRepositorySecret } from '../../../platform/projects/repository.ts'
import { maxItemsFor } from '../../trpc/check-input.ts'
import { withinDeadline } from '../../trpc/deadline.ts'
import { limitAddress, limitDelivery } from '../caller/limit-requests.ts'
import { countAs } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { readHeld } from '../http/held-body.ts'
import { largeBytes } from '../http/json-body.ts'
import { scanJson } from '../http/scan-json.ts'
import { unknownPath } from '../http/unknown-path.ts'

type HookRoute = { Params: { project: string } }

/** GitHub sends up to 25 MiB; what a push of thousands of commits needs less than this of. */
const maxBytes = 5 * 1024 * 1024

/** Whose they are is known only once they are read, so they share the room of one team. */
const owner = 'deliveries of forges'

/** Whose refusals by the limit of an address are counted: those that something came for lately. */
const maxSeen = 10_000

/**
 * Adds the route. Each request draws from the limit of its address, which gets that back once the signature
 * is right and the project's own limit pays. A signature that isn't the project's is a 403, another
 * repository a 422, and everything else a 202 that says what came of it.
 */
export function mountForgeHooks(app: FastifyInstance, deps: ServerDeps): void {
  const { services, limits, timeouts, bodies } = deps
  const { db } = services.store
  const maxItems = maxItemsFor(services.caps.maxFiles)
  const limiting = { limits, observe: services.observe }
  const { forgeRefusals } = services
  const seen = new LRUCache<string, true>({ max: maxSeen })

  async function receive(request: FastifyRequest<HookRoute>, reply: FastifyReply): Promise<unknown> {
    const { project } = request.params
    const repository = isId('project', project)
      ? await withinDeadline(findRepository(db, project))
      : undefined
    if (!repository) throw unknownPath(request.url)
    seen.set(project, true)
    const body = await readHeld(request, bodies, { maxBytes, timeoutMs: timeouts.bodyMs, owner })
    const { provider } = repository
    const proof = verifyDelivery({
      provider,
      headers: request.headers,
      body,
      secret: secretOf(repository),
      nowMs: services.nowMs(),
    })
    if (!proof.ok) {
      forgeRefusals.refused(project, proof.kind)
      return reply.code(403).send({ reason: proof.why })
    }
    await limitDelivery(limiting, repository, { request, reply }).catch((error: unknown) => {
      if (isRefusal(error, 'rate_limited')) forgeRefusals.refused(project, 'project_limit')
      throw error
    })
    const refused = (kind: RefusalKind, outcome: string) => {
      forgeRefusals.refused(project, kind)
      return logRefusal(repository, proof.event, outcome)
    }
    const event = await read(body, {
      provider,
      event: proof.event,
      contentType: request.headers['content-type'],
    }).catch(async (error: unknown) => {
      if (error instanceof AppError) await refused('malformed', error.message)
      throw error
    })
    const named = 'repository' in event ? event.repository : undefined
    const match = named ? matchRepository(named, repository) : { ok: true as const, url: repository.url }
    if (!match.ok) {
      await refused('repository', match.why)
      return reply.code(422).send({ reason: match.why })
    }
    const received = {
      // Of the others the id is not signed: with another one, what somebody has seen would be taken again.
      forgeId: provider === 'gitlab' ? proof.id : hash('sha256', body),
      event: proof.event,
      plan: planOf(event, repository),
      from: { address: request.address, requestId: request.id },
      repository: match.url,
      repositoryId: named?.id,
      defaultBranch: named?.defaultBranch,
    }
    const answer = await withinDeadline(receiveDelivery(services, repository, received))
    forgeRefusals.accepted(project)
    return reply.code(202).send(answer)
  }

  async function read(
    body: Buffer,
    about: Omit<Parameters<typeof readEvent>[0], 'body'>,
  ): Promise<ForgeEvent> {
    await checkShape(body, about.contentType)
    return readEvent({ ...about, body })
  }

  function limit(
    request: FastifyRequest<HookRoute>,
    reply: FastifyReply,
    done: (refusal?: AppError) => void,
  ): void {
    const { project } = request.params
    limitAddress(limiting, { request, reply }, (refusal) => {
      if (refusal && seen.has(project)) forgeRefusals.refused(project, 'address_limit')
      done(refusal)
    })
  }

  /** Logs the refusal of what the project's own secret signs: a stranger leaves no line. */
  function logRefusal(repository: KnownRepository, event: string, outcome: string): Promise<void> {
    const line = { level: 'warn', came: { event }, outcome } as const
    return withinDeadline(logGit(db, repository, [line], services.nowMs()))
  }

  /** Who signs a body may be anybody with a project: what takes long to parse is not parsed. */
  async function checkShape(body: Buffer, contentType = ''): Promise<void> {
    if (body.length <= largeBytes) return
    if (!/^application\/json\b/i.test(contentType))
      throw new AppError(
        'unsupported_content_type',
        'So large a delivery has to be JSON: set the content type of the webhook to application/json.',
      )
    await letOthersRun()
    await inTurns(scanJson(body, maxItems))
  }

  function secretOf({ projectId, url, secretSealed }: KnownRepository): string {
    if (secretSealed === null) return ''
    return openRepositorySecret(services.envKey, { projectId, url, kind: 'secret' }, secretSealed)
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async () => undefined)
    scope.addHook('onRequest', countAs('hook'))
    scope.post<HookRoute>(`${forgeHookPath}/:project`, { onRequest: limit }, receive)
  })
}

function isRefusal(error: unknown, reason: Reason): boolean {
  return error instanceof AppError && error.reason === reason
}
