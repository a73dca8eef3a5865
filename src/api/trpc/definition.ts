/** The definitions of a router's procedures: the one file that reads tRPC's internals. */
import type { AnyRouter } from '@trpc/server'
import { z } from 'zod'
import type { GuardedContext } from './guard.ts'
import { guarded } from './init.ts'
import type { ProcedureMeta } from './procedure-meta.ts'

export type Definition = {
  /** For example `projects.get`. */
  name: string
  type: 'query' | 'mutation' | 'subscription'
  meta: ProcedureMeta
  input: z.ZodType
  output: z.ZodType
  resolve: (options: { ctx: GuardedContext; input: unknown }) => Promise<unknown>
}

const schema = z.instanceof(z.ZodType)

const roleSchema = z.union([
  z.object({ role: z.enum(['owner', 'owner of it']) }),
  z.object({ role: z.literal('member'), limited: z.union([z.string(), z.object({ reason: z.string() })]) }),
])

const kept = z.object({
  type: z.enum(['query', 'mutation', 'subscription']),
  meta: z.custom<ProcedureMeta>(
    (value) => roleSchema.safeParse(value).success,
    'requires no role, or is undecided for limited members',
  ),
  inputs: z.tuple([schema], 'needs one zod input'),
  output: schema,
  resolver: z.custom<Definition['resolve']>((value) => typeof value === 'function'),
  // The guard, input, output and resolver: `createCall` would skip another middleware.
  middlewares: z
    .array(z.unknown())
    .length(4, 'needs the guard, and no middleware of its own')
    .refine(([first]) => first === guarded._middlewares[0], 'is not guarded'),
})

const procedures = z.record(
  z.string(),
  z.custom<{ _def: unknown }>((value) => typeof value === 'function' && '_def' in value),
)

/**
 * Every procedure of `router` and its nested routers.
 * @throws when one isn't role, guard, one input, output and resolver.
 */
export function definitionsOf(router: AnyRouter): Definition[] {
  return Object.entries(procedures.parse(router._def.procedures)).map(([name, { _def }]) => {
    const found = kept.safeParse(_def)
    if (!found.success) throw new Error(`${name}: ${z.prettifyError(found.error)}`)
    const { type, meta, inputs, output, resolver } = found.data
    return { name, type, meta, input: inputs[0], output, resolve: resolver }
  })
}
