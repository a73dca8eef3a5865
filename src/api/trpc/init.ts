/** tRPC with this program's context and error format. */
import { initTRPC } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { z } from 'zod'
import { invalidField } from '../../lib/errors.ts'
import type { Context } from './context.ts'
import { withinDeadline } from './deadline.ts'
import { errorBody, statusOf, toAppError, toTrpcError } from './error-body.ts'
import { guard } from './guard.ts'
import { issueMessage } from './issue-messages.ts'
import { keepsResponse, type ProcedureMeta } from './procedure-meta.ts'

z.config({ customError: issueMessage })

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    // Proxies and the server itself close connections that are quiet for a minute or two.
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter: ({ shape, error, ctx }) => {
      const found = toAppError(error)
      const body = errorBody(found, ctx?.requestId ?? '')
      // Of the error itself: what ends a stream comes wrapped in an internal one.
      const code = TRPC_ERROR_CODES_BY_KEY[found.code]
      return { ...shape, code, message: body.message, data: { ...body, httpStatus: statusOf(found) } }
    },
  })

export const router = t.router

/**
 * The guard as tRPC's middleware, for calls that go through tRPC's chain: batches, streams, and callers.
 * `createCall` passes the same guard without the chain.
 */
export const guarded = t.middleware(async ({ ctx, path, type, meta, getRawInput, next }) => {
  const startedMs = performance.now()
  try {
    if (!meta) throw new Error(`${path} requires no role.`)
    guard(ctx, { name: path, type, meta }, await getRawInput())
    if (keepsResponse(meta) && ctx.idempotencyKey !== undefined) throw keyOfMany()
    const { principal } = ctx
    const result = await withinDeadline(next({ ctx: { principal } }))
    // tRPC: an error further in doesn't reject `next()`, it resolves with `ok: false`.
    if (!result.ok) throw result.error
    // The adapter logs failures, including those that don't get here.
    ctx.services.observe.answered(path, 200, performance.now() - startedMs)
    return result
  } catch (error) {
    throw toTrpcError(toAppError(error))
  }
})

const keyOfMany = () =>
  invalidField('Idempotency-Key', 'is taken with plain calls only: not in a batch, nor for a stream')

/** The base of procedures, which is guarded: each adds its meta, input, output and resolver. */
export const procedure = t.procedure.use(guarded)
