/** tRPC with this program's context and error format. */
import { initTRPC } from '@trpc/server'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { z } from 'zod'
import type { Call } from './call.ts'
import type { Context } from './context.ts'
import type { Definition } from './definition.ts'
import { errorBody, statusOf, toAppError, toTrpcError } from './error-body.ts'
import type { ProcedureMeta } from './idempotent.ts'
import { issueMessage } from './issue-messages.ts'
import { isAsyncIterable } from './stream-of.ts'

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

/** The base of procedures: meta, input, output and resolver, which `createCall` runs. */
export const procedure = t.procedure

/** Passes the raw input on to the call. */
const adapted = t.procedure
  .use(async ({ ctx, path, next }) => {
    const startedMs = performance.now()
    const result = await next()
    // tRPC: an error further in doesn't reject `next()`, it resolves with `ok: false`.
    if (!result.ok) throw toTrpcError(toAppError(result.error))
    // The adapter logs failures, including those that don't get here.
    ctx.services.observe.answered(path, 200, performance.now() - startedMs)
    return result
  })
  .input((rawInput: unknown) => rawInput)

/** A router for tRPC's adapter whose procedures run `calls`. */
export function adaptCalls(calls: (Pick<Definition, 'name' | 'type'> & { call: Call })[]) {
  return router(
    Object.fromEntries(
      calls.map(({ name, type, call }) => [
        name,
        type === 'subscription'
          ? adapted.subscription(({ ctx, input }) => open(call, ctx, input))
          : adapted[type](({ ctx, input }) => call(ctx, input)),
      ]),
    ),
  )
}

async function open(call: Call, ctx: Context, input: unknown): Promise<AsyncIterable<unknown>> {
  const stream = await call(ctx, input)
  if (!isAsyncIterable(stream)) throw new Error('A subscription returned no stream.')
  return stream
}
