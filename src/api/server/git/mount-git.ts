/** `git push` over HTTP (gitprotocol-http): a pushed branch becomes a deployment. */
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { mayTakeLong } from '../../../lib/net/late-streams.ts'
import { advertise, advertiseNone } from '../../../platform/git/advertisement.ts'
import { commitsOf } from '../../../platform/git/branches.ts'
import { readPush } from '../../../platform/git/push-request.ts'
import { findRepository } from '../../../platform/git/repositories.ts'
import { maxPackBytes } from '../../../platform/git/run-git.ts'
import { authenticateHook, enforceHook } from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { stepBytes } from '../http/body-budget.ts'
import { refusalOf, setRetryAfter } from '../http/errors.ts'
import { bodyTooLarge, noSlowerThan, withinPace } from '../http/read-body.ts'
import { passwordAsToken, requireTeamCredential } from './credential.ts'
import { findPlace, type GitRoute } from './push-place.ts'
import { receivePush } from './receive-push.ts'

/** Adds `/git/<team>/<project>.git`, whose repositories are in the directory `root`. */
export function mountGit(app: FastifyInstance, deps: ServerDeps): void {
  app.register(async (scope) => {
    answerWithText(scope, deps)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async () => undefined)
    const operation = () => 'git'
    const push = () => ({ name: 'deployments.create', type: 'mutation' }) as const
    const onRequest = [
      passwordAsToken,
      authenticateHook(deps, operation),
      requireTeamCredential,
      enforceHook(deps, push),
    ]
    scope.get<GitRoute>('/git/:team/:repository/info/refs', { onRequest }, (request, reply) =>
      advertiseTo(deps, request, reply),
    )
    scope.post<GitRoute>('/git/:team/:repository/git-receive-pack', { onRequest }, async (request, reply) => {
      const place = await findPlace(deps, request)
      const held = await holdStart(deps, place.teamId)
      try {
        const push = await readPush(bodyOf(deps, request, held))
        return await receivePush(deps, { request, reply }, { place, push, releaseStart: held.release })
      } finally {
        held.release()
      }
    })
    scope.post<GitRoute>('/git/:team/:repository/git-upload-pack', { onRequest }, async (_request, reply) =>
      refuseFetch(reply),
    )
  })
}

async function advertiseTo(
  deps: ServerDeps,
  request: FastifyRequest<GitRoute>,
  reply: FastifyReply,
): Promise<unknown> {
  const { service } = request.query
  if (service !== 'git-receive-pack') refuseFetch(reply)
  const { teamId, project } = await findPlace(deps, request)
  const { store } = deps.services
  await deps.disk.require()
  const directory = await findRepository(deps.git, { teamId, projectId: project?.id })
  const offered =
    directory === undefined || project === undefined
      ? await advertiseNone(deps.git)
      : await advertise(directory, await commitsOf(store.db, project.id))
  return reply
    .type('application/x-git-receive-pack-advertisement')
    .header('cache-control', 'no-cache')
    .send(offered)
}

/** Refuses a fetch: no method gives one, which an empty Allow says (RFC 9110, section 10.2.1). */
function refuseFetch(reply: FastifyReply): never {
  reply.header('allow', '')
  throw new AppError(
    'method_not_allowed',
    'This address takes pushes alone: fetch from where the sources are kept.',
  )
}

/** The largest body that came with gzip. Git sends packs without it, which are compressed already. */
const maxInflatedBytes = 64 * 1024 * 1024

type Held = { growTo(bytes: number): void; release(): void }

/** Room among the bodies of requests for what a push begins with, until that is passed on. */
async function holdStart({ bodies }: ServerDeps, teamId: string): Promise<Held> {
  const room = await bodies.reserve(teamId, stepBytes)
  let isHeld = true
  return {
    growTo(bytes) {
      if (isHeld) room.growTo(bytes)
    },
    release() {
      if (isHeld) room.release()
      isHeld = false
    },
  }
}

/** The bytes of the request, at most those of the largest pack. */
async function* bodyOf(
  { timeouts }: ServerDeps,
  { raw, headers }: FastifyRequest,
  held: Held,
): AsyncGenerator<Buffer> {
  mayTakeLong(raw)
  const coding = headers['content-encoding'] ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip'].includes(coding))
    throw new AppError('unsupported_content_encoding', 'Send the push plain, or with gzip.')
  const paced = withinPace(raw, noSlowerThan(timeouts.uploadBytesPerSecond, timeouts.uploadWindowMs))
  const isPlain = coding === 'identity'
  const maxBytes = isPlain ? maxPackBytes : maxInflatedBytes
  let bytes = 0
  for await (const chunk of isPlain ? paced : inflated(paced)) {
    bytes += chunk.length
    held.growTo(bytes)
    if (bytes > maxBytes) throw isPlain ? bodyTooLarge(maxBytes) : tooLargeForGzip()
    yield chunk
  }
}

function tooLargeForGzip(): AppError {
  const text = `A push with gzip may have ${maxInflatedBytes} bytes: send it without, as git does.`
  return new AppError('body_too_large', text)
}

async function* inflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // Its end, with an error or without, is that of the iteration below.
  pipeline(source, gunzip).catch(() => {})
  try {
    yield* gunzip
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('malformed_request', 'This is no gzip.', { cause })
  }
}

/** Git shows the text of a refusal to the pusher, and asks for a password at a 401 with `Basic`. */
function answerWithText(scope: FastifyInstance, { log }: ServerDeps): void {
  scope.setErrorHandler((thrown, request, reply) => {
    const { error, status } = refusalOf(log, thrown, request)
    setRetryAfter(reply, error)
    return reply.code(status).type('text/plain; charset=utf-8').send(`${error.message}\n`)
  })
  scope.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', 'Basic realm="svc", charset="UTF-8"')
  })
}
