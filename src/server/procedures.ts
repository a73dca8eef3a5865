/** The procedures of the app router that have a place in the REST surface. */
import { z } from 'zod'
import { appRouter } from '../routers/index.ts'
import type { Context } from '../trpc/context.ts'
import { createDirectCall, type ProcedureDefinition } from '../trpc/direct-call.ts'

export type RestProcedure = {
  /** Such as `projects.get`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With parameters as Fastify writes them: `/v1/projects/:project`. */
  url: string
  input: z.ZodType
  call: (ctx: Context, rawInput: unknown) => Promise<unknown>
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

const proceduresByName = z.record(z.string(), procedureSchema)

/** Every procedure with OpenAPI meta. @throws when one of them can't be called directly. */
export function restProcedures(): RestProcedure[] {
  return Object.entries(proceduresByName.parse(appRouter._def.procedures)).flatMap(
    ([name, { _def: definition }]) => {
      const meta = metaSchema.safeParse(definition.meta)
      if (!meta.success) return []
      const { method, path } = meta.data.openapi
      const [input] = definition.inputs
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      return {
        name,
        method,
        url,
        input: z.instanceof(z.ZodType).parse(input),
        call: createDirectCall(name, definition),
      }
    },
  )
}
