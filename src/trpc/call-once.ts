/** A call with an Idempotency-Key: run once, and answered the same again. */
import { invalidField } from '../errors.ts'
import { once } from '../idempotency/once.ts'
import type { Context } from './context.ts'

/** What an Idempotency-Key may be: characters that ASCII prints, so that keys which look the same are the same. */
export const idempotencyKey = /^[\x21-\x7e]{1,255}$/

type Resolver = (options: { ctx: Context; input: unknown }) => Promise<unknown>

/**
 * Runs `resolver` for the procedure `name` unless that was done with this key, by this caller, within the last day.
 * @throws AppError `invalid_input` for what can't be a key, and as `once` does.
 */
export async function callOnce(
  name: string,
  ctx: Context,
  key: string,
  input: unknown,
  resolver: Resolver,
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
    (remember) => resolver({ ctx: { ...ctx, remember }, input }),
  )
}
