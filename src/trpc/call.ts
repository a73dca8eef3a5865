/**
 * The one pipeline of calls, over REST, as a single RPC call or through tRPC's adapter. tRPC's own chain of middlewares
 * copies its options a dozen times a call: more work than most procedures do.
 */
import { invalidField } from '../errors.ts'
import { once } from '../idempotency/once.ts'
import { authorize } from './authorize.ts'
import { checkInput } from './check-input.ts'
import type { Context } from './context.ts'
import { withinDeadline } from './deadline.ts'
import type { Definition } from './definition.ts'
import { invalidInput } from './error-body.ts'
import { keepsResponse } from './idempotent.ts'
import { maxItemsFor } from './input-bounds.ts'
import { spendToken } from './spend-token.ts'

/** A procedure to call. */
export type Call = (ctx: Context, rawInput: unknown) => Promise<unknown>

/** What an Idempotency-Key may be: characters that ASCII prints, so that keys which look the same are the same. */
export const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/**
 * Spends a token, checks the caller, then the input, runs the procedure within the deadline, and checks its output. A subscription is opened
 * within the deadline; its output checks each message.
 * @throws AppError for refusals; Error for a call that was not counted; the schema's own error for an invalid output.
 */
export function createCall(definition: Definition): Call {
  const { input, output, resolve, meta } = definition
  const takesKey = keepsResponse(meta)
  return async (ctx, rawInput) => {
    spendToken(ctx.tokens, definition)
    authorize(ctx, definition)
    checkInput(rawInput, maxItemsFor(ctx.services.caps.maxFiles))
    const key = takesKey ? keyOf(ctx) : undefined
    const parsed = input.safeParse(rawInput)
    if (!parsed.success) throw invalidInput(parsed.error)
    const call = { ctx, input: parsed.data }
    const work = key === undefined ? resolve(call) : resolveOnce(definition, call, key)
    const response = output.safeParse(await withinDeadline(work))
    if (!response.success) throw response.error
    return response.data
  }
}

function keyOf({ idempotencyKey: key, takesKey }: Context): string | undefined {
  if (key === undefined || takesKey) return key
  throw invalidField('Idempotency-Key', 'is taken with plain calls only: not in a batch, nor for a stream')
}

/** Runs the procedure, or replays the response if this caller used the key in the last 24 hours. */
async function resolveOnce(
  { name, resolve }: Definition,
  { ctx, input }: Parameters<Definition['resolve']>[0],
  key: string,
): Promise<unknown> {
  if (!idempotencyKey.test(key)) {
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, without spaces')
  }
  const { store, nowMs, removal, observe } = ctx.services
  const { teamId, userId } = ctx.principal
  return once(
    { db: store.db, nowMs, removal, onReplay: observe.replayed },
    { teamId, userId, operation: name, key },
    input,
    (remember) => resolve({ ctx: { ...ctx, remember }, input }),
  )
}
