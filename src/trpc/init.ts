/** tRPC with this program's context, error shape and the middleware that every procedure passes. */
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { admit } from './authorize.ts'
import type { Context } from './context.ts'
import { withinDeadline } from './deadline.ts'
import { errorBody, toAppError, toTrpcError } from './error-body.ts'
import { keepsAnswer, type ProcedureMeta } from './idempotent.ts'
import { inputWords } from './issue-messages.ts'

z.config({ customError: inputWords })

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const body = errorBody(toAppError(error), ctx?.requestId ?? '')
      return { ...shape, message: body.message, data: { ...body, httpStatus: shape.data.httpStatus } }
    },
  })

export const router = t.router

/** What every procedure is made of: it admits the call, and turns what is thrown further in into errors for clients. */
export const procedure = t.procedure.use(async ({ ctx, path, type, meta, getRawInput, next }) => {
  const startedMs = performance.now()
  try {
    admit(ctx, { name: path, type }, await getRawInput())
    if (ctx.idempotencyKey !== undefined && keepsAnswer(meta)) {
      throw invalidField(
        'Idempotency-Key',
        'is taken with plain calls only: not in a batch, nor for a stream',
      )
    }
    const result = await withinDeadline(next())
    // A failure further in doesn't reject: it resolves to a result that says so.
    if (!result.ok) throw result.error
    // The adapter tells of failures, some of which don't come this far.
    ctx.services.observe.answered(path, 200, performance.now() - startedMs)
    return result
  } catch (error) {
    throw toTrpcError(toAppError(error))
  }
})
