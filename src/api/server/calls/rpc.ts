/** Mounts typed RPC at `/trpc`. */
import { getTRPCErrorShape, type TRPCError } from '@trpc/server'
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { letOthersRun } from '../../../lib/async/let-others-run.ts'
import { invalidField } from '../../../lib/errors.ts'
import { version } from '../../../lib/version.ts'
import { appRouter } from '../../routers/index.ts'
import { errorBody, statusOf, toAppError, toTrpcError } from '../../trpc/error-body.ts'
import {
  authenticateAgainHook,
  authenticateHook,
  contextOf,
  enforceHook,
  identifyHook,
} from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { logFault, refusalOf, setRetryAfter } from '../http/errors.ts'
import { acceptOnlyJson, bodyLimitsOf, largeBytes } from '../http/json-body.ts'
import {
  calledNames,
  encodedNames,
  isBatch,
  maxBatchSize,
  type RpcRequest,
  type RpcRoute,
} from './called-names.ts'
import { proceduresByName } from './procedures.ts'
import { readSingleCall, type SingleCall } from './single-call.ts'

/** The headers that tRPC's adapter sends; single calls use the same. */
const headersOfEveryCall = { vary: 'trpc-accept, accept', 'content-type': 'application/json' }

/** For `svc`, which is of the version of a server, or says that it isn't. */
function setVersion(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-svc-version', version)
  done()
}

/**
 * Adds `/trpc/<procedure>` to `app`, in the wire format of tRPC's clients. Single calls bypass tRPC's
 * adapter, which costs several times as much as most procedures; batches, streams and unusual requests go
 * through it.
 */
export function mountRpc(app: FastifyInstance, deps: ServerDeps): void {
  const procedures = proceduresByName()
  app.register(async (scope) => {
    // tRPC parses the text; parsing and serializing it before would change values (1e400 becomes null).
    const namedBy = ({ params }: RpcRequest) => procedures.get(params['*'])
    const calledBy = (request: RpcRequest) => (request.method === 'POST' ? namedBy(request) : undefined)
    const operationOf = (request: RpcRequest) =>
      namedBy(request)?.name ?? (calledNames(request).length > 1 ? 'batch' : 'none')
    // A batch draws one token per call from the rate limit.
    const callsOf = (request: RpcRequest) =>
      namedBy(request)?.type === 'subscription' ? 'stream' : calledNames(request).length
    const refuseEncoded = (request: RpcRequest, _reply: FastifyReply, done: (refusal?: Error) => void) =>
      done(encodedNames(request))
    const inputOf = (request: RpcRequest) => readSingleCall(procedures, request)?.input
    acceptOnlyJson(scope, bodyLimitsOf(deps), 'text')
    scope.route<RpcRoute>({
      method: ['GET', 'POST'],
      url: '/trpc/*',
      exposeHeadRoute: false,
      onRequest: [
        setVersion,
        authenticateHook(deps, operationOf, callsOf),
        refuseEncoded,
        enforceHook(deps, calledBy),
      ],
      preHandler: [identifyHook(deps, inputOf), authenticateAgainHook(deps)],
      // Refusals before tRPC is reached use tRPC's error format.
      errorHandler: (thrown, request, reply) => {
        const { error, status } = refusalOf(deps.log, thrown, request)
        const data = { ...errorBody(error, request.id), httpStatus: status }
        setRetryAfter(reply, error)
        const code = TRPC_ERROR_CODES_BY_KEY[error.code]
        return reply.code(status).send({ error: { message: error.message, code, data } })
      },
      handler: async (request, reply) => {
        refuseBatchedKey(request)
        const call = readSingleCall(procedures, request)
        if (typeof request.body === 'string' && request.body.length > largeBytes) await letOthersRun()
        return call ? answer(deps, call, request, reply) : handOver(deps, request, reply)
      },
    })
  })
}

/**
 * One key can't stand for several calls.
 * @throws AppError `invalid_input` for a batch of mutations, also one of a single call, that comes with a
 * key.
 */
function refuseBatchedKey(request: RpcRequest): void {
  if (request.headers['idempotency-key'] === undefined || request.method !== 'POST') return
  if (!isBatch(request) && !request.params['*'].includes(',')) return
  throw invalidField('Idempotency-Key', 'names one call: send that call without a batch')
}

async function answer(
  deps: ServerDeps,
  { procedure: { name, type, call }, input, batched }: SingleCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  // With a custom serializer Fastify keeps the content type.
  reply.headers(headersOfEveryCall).serializer(JSON.stringify)
  const ctx = contextOf(deps, request, reply)
  let envelope: unknown
  try {
    envelope = { result: { data: await call(ctx, input) } }
  } catch (thrown) {
    const refusal = toAppError(thrown)
    const error = toTrpcError(refusal)
    logOurFault(deps, error, request.id, name)
    setRetryAfter(reply, refusal)
    const { _config: config } = appRouter._def
    const shape = getTRPCErrorShape({ config, error, type, path: name, input, ctx })
    reply.code(shape.data.httpStatus)
    envelope = { error: shape }
  }
  return batched ? [envelope] : envelope
}

/** Instead of tRPC's `no-cache`, which lets a cache keep it. */
const noStore = { 'cache-control': 'no-store, no-transform' }

function handOver(deps: ServerDeps, request: RpcRequest, reply: FastifyReply): Promise<void> {
  let isAnswered = false
  return fastifyRequestHandler({
    router: appRouter,
    req: request,
    res: reply,
    path: request.params['*'],
    maxBatchSize,
    createContext: async () => {
      // From here on each call is counted by itself.
      request.operation = undefined
      return contextOf(deps, request, reply)
    },
    responseMeta({ type }) {
      isAnswered = true
      return type === 'subscription' ? { headers: noStore } : {}
    },
    onError: ({ error, path, type, ctx }) => {
      // Refused before there was a context, so the response has no request_id yet; ours has it.
      if (!ctx) throw error
      const operation = path !== undefined && Object.hasOwn(appRouter._def.procedures, path) ? path : 'none'
      // A stream that isn't opened is refused as any other call, instead of within a stream.
      if (type === 'subscription' && !isAnswered) {
        request.operation = operation
        if (error.code === 'METHOD_NOT_SUPPORTED') reply.header('allow', 'GET')
        throw error
      }
      logOurFault(deps, error, request.id, path)
      // The end of one that was opened has been counted then.
      if (type === 'subscription') return
      const ms = performance.now() - request.startedMs
      deps.services.observe.answered(operation, statusOf(toAppError(error)), ms)
    },
  })
}

function logOurFault(
  { log }: ServerDeps,
  error: TRPCError,
  requestId: string,
  path: string | undefined,
): void {
  const refusal = toAppError(error)
  if (statusOf(refusal) < 500) return
  logFault(log, refusal, { request_id: requestId, path })
}
