/** The definitions of a router's procedures: the one file that reads tRPC's internals. */
import type { AnyRouter } from '@trpc/server'
import { z } from 'zod'
import type { Context } from './context.ts'

export type Definition = {
  /** For example `projects.get`. */
  name: string
  type: 'query' | 'mutation' | 'subscription'
  meta: unknown
  input: z.ZodType
  output: z.ZodType
  resolve: (options: { ctx: Context; input: unknown }) => Promise<unknown>
}

const schema = z.instanceof(z.ZodType)

const kept = z.object({
  type: z.enum(['query', 'mutation', 'subscription']),
  meta: z.unknown(),
  inputs: z.tuple([schema], 'needs one zod input'),
  output: schema,
  resolver: z.custom<Definition['resolve']>((value) => typeof value === 'function'),
  // Input, output and resolver: `createCall` would skip another middleware.
  middlewares: z.array(z.unknown()).length(3, 'has a middleware of its own'),
})

const procedures = z.record(
  z.string(),
  z.custom<{ _def: unknown }>((value) => typeof value === 'function' && '_def' in value),
)

/** Every procedure of `router` and its nested routers. @throws when one isn't meta, one input, output and resolver. */
export function definitionsOf(router: AnyRouter): Definition[] {
  return Object.entries(procedures.parse(router._def.procedures)).map(([name, { _def }]) => {
    const found = kept.safeParse(_def)
    if (!found.success) throw new Error(`${name}: ${z.prettifyError(found.error)}`)
    const { type, meta, inputs, output, resolver } = found.data
    return { name, type, meta, input: inputs[0], output, resolve: resolver }
  })
}
