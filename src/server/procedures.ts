/** The procedures of the app router as the server calls them: directly, from REST and from RPC. */
import { z } from 'zod'
import { appRouter } from '../routers/index.ts'
import type { Context } from '../trpc/context.ts'
import { createDirectCall, type ProcedureDefinition } from '../trpc/direct-call.ts'

export type Procedure = {
  /** Such as `projects.get`. */
  name: string
  type: 'query' | 'mutation'
  call: (ctx: Context, rawInput: unknown) => Promise<unknown>
}

export type RestProcedure = Procedure & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With parameters as Fastify writes them: `/v1/projects/:project`. */
  url: string
  input: z.ZodType
}

const metaSchema = z.object({
  openapi: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
    path: z.string().startsWith('/v1/'),
  }),
})

const procedureSchema = z.custom<{ _def: ProcedureDefinition }>(
  (value) => typeof value === 'function' && '_def' in value,
)

const definitions = Object.entries(z.record(z.string(), procedureSchema).parse(appRouter._def.procedures))

/** Every procedure, by name. @throws when one of them can't be called directly. */
export function proceduresByName(): Map<string, Procedure> {
  return new Map(definitions.map(([name, { _def }]) => [name, procedureOf(name, _def)]))
}

/** Every procedure with OpenAPI meta, and so a place in the REST surface. @throws as `proceduresByName` does. */
export function restProcedures(): RestProcedure[] {
  return definitions.flatMap(([name, { _def: definition }]) => {
    const meta = metaSchema.safeParse(definition.meta)
    if (!meta.success) return []
    const { method, path } = meta.data.openapi
    const [input] = definition.inputs
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    return { ...procedureOf(name, definition), method, url, input: z.instanceof(z.ZodType).parse(input) }
  })
}

function procedureOf(name: string, definition: ProcedureDefinition): Procedure {
  return { name, type: definition.type, call: createDirectCall(name, definition) }
}
