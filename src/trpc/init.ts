/** tRPC with this program's context, error shape and the middleware that every procedure passes. */
import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { admit } from './admit.ts'
import type { Context } from './context.ts'
import { withinDeadline } from './deadline.ts'
import { errorBody, toAppError, toTrpcError } from './error-body.ts'

const t = initTRPC
  .context<Context>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const body = errorBody(toAppError(error), ctx?.requestId ?? '')
      return { ...shape, message: body.message, data: { ...body, httpStatus: shape.data.httpStatus } }
    },
  })

export const router = t.router

/** What every procedure is made of: it admits the call, and turns what is thrown further in into errors for clients. */
export const procedure = t.procedure.use(async ({ ctx, path, getRawInput, next }) => {
  try {
    admit(ctx, path, await getRawInput())
    const result = await withinDeadline(next())
    // A failure further in doesn't reject: it resolves to a result that says so.
    if (!result.ok) throw result.error
    return result
  } catch (error) {
    throw toTrpcError(toAppError(error))
  }
})
