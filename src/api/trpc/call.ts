/**
 * Calls procedures without tRPC's chain of middlewares, which copies its options a dozen times a call: more
 * work than most procedures do. The guard is the same one.
 */
import { invalidField } from '../../lib/errors.ts'
import { once } from '../../platform/idempotency/once.ts'
import type { Context } from './context.ts'
import { withinDeadline } from './deadline.ts'
import type { Definition } from './definition.ts'
import { invalidInput } from './error-body.ts'
import { type GuardedContext, guard } from './guard.ts'
import { keepsResponse } from './procedure-meta.ts'
import { requireSeenNow } from './seen-now.ts'

/** A procedure to call. */
export type Call = (ctx: Context, rawInput: unknown) => Promise<unknown>

/**
 * The form of an Idempotency-Key: characters that ASCII prints, so that keys which look the same are the
 * same.
 */
export const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/**
 * Passes the guard, checks the input, runs the procedure within the deadline, and checks its output.
 * @throws AppError for refusals; Error for a call that was not counted; the schema's own error for an invalid
 * output.
 */
export function createCall(definition: Definition): Call {
  const { input, output, resolve, meta } = definition
  const takesKey = keepsResponse(meta)
  return async (ctx, rawInput) => {
    guard(ctx, definition, rawInput)
    const key = takesKey ? ctx.idempotencyKey : undefined
    const parsed = input.safeParse(rawInput)
    if (!parsed.success) throw invalidInput(parsed.error, rawInput)
    const work =
      key === undefined
        ? resolve({ ctx, input: parsed.data })
        : resolveOnce(definition, ctx, parsed.data, key)
    const response = output.safeParse(await withinDeadline(work))
    if (!response.success) throw response.error
    return response.data
  }
}

/** Runs the procedure, or replays the response if this caller used the key in the last 24 hours. */
async function resolveOnce(
  { name, resolve }: Definition,
  ctx: GuardedContext,
  input: unknown,
  key: string,
): Promise<unknown> {
  if (!idempotencyKey.test(key)) {
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, without spaces')
  }
  const { store, nowMs, removal, observe } = ctx.services
  const { teamId, userId } = ctx.principal
  let isReplayed = false
  const onReplay = () => {
    isReplayed = true
    observe.replayed()
  }
  const answer = await once(
    { db: store.db, nowMs, removal, onReplay },
    { teamId, userId, operation: name, key },
    input,
    (remember) => resolve({ ctx: { ...ctx, remember }, input }),
  )
  if (isReplayed) await requireSeenNow(ctx, answer)
  return answer
}
