/**
 * Calls a procedure without tRPC's chain of middlewares, which copies its options a dozen times for each call: that costs
 * more than the work of most procedures. What runs is the same: admission, input schema, resolver, output schema. Only here
 * an Idempotency-Key is heeded, which stands for one call.
 */
import { z } from 'zod'
import { admit } from './authorize.ts'
import { callOnce } from './call-once.ts'
import type { Context } from './context.ts'
import { withinDeadline } from './deadline.ts'
import { invalidInput } from './error-body.ts'
import { keepsAnswer } from './idempotent.ts'

/** What tRPC keeps about a procedure, as far as it is read here. */
export type ProcedureDefinition = {
  type: 'query' | 'mutation'
  meta?: unknown
  inputs: unknown[]
  output?: unknown
  middlewares: unknown[]
  resolver: (options: { ctx: Context; input: unknown }) => Promise<unknown>
}

/** Admission, input, output and resolver; another one would be left out here, so it must not exist. */
const middlewaresOfEach = 4

/** @throws when the procedure isn't made of exactly what a direct call runs. */
export function createDirectCall(
  name: string,
  { type, meta, inputs, output, middlewares, resolver }: ProcedureDefinition,
): (ctx: Context, rawInput: unknown) => Promise<unknown> {
  const [input] = inputs
  if (!(input instanceof z.ZodType) || inputs.length !== 1) throw new Error(`${name} needs one zod input.`)
  if (!(output instanceof z.ZodType)) throw new Error(`${name} needs a zod output.`)
  if (middlewares.length !== middlewaresOfEach) throw new Error(`${name} has a middleware of its own.`)
  const mayRepeat = keepsAnswer(meta)

  const called = { name, type }
  return async (ctx, rawInput) => {
    admit(ctx, called, rawInput)
    const parsed = input.safeParse(rawInput)
    if (!parsed.success) throw invalidInput(parsed.error)
    const { idempotencyKey: key } = ctx
    const work =
      mayRepeat && key !== undefined
        ? callOnce(name, ctx, key, parsed.data, resolver)
        : resolver({ ctx, input: parsed.data })
    const answer = output.safeParse(await withinDeadline(work))
    if (!answer.success) throw answer.error
    return answer.data
  }
}
