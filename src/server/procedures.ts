/** The procedures of the app router that have a place in the REST surface. */
import { z } from 'zod'
import { appRouter } from '../routers/index.ts'

export type RestProcedure = {
  /** Such as `projects.get`. */
  name: string
  type: 'query' | 'mutation'
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

/** What tRPC keeps about a procedure, as far as it is read here. */
const procedureSchema = z.custom<{ _def: { type: 'query' | 'mutation'; meta?: unknown; inputs: unknown[] } }>(
  (value) => typeof value === 'function' && '_def' in value,
)

const proceduresByName = z.record(z.string(), procedureSchema)

/** Every procedure with OpenAPI meta. @throws when one of them has no single zod input. */
export function restProcedures(): RestProcedure[] {
  return Object.entries(proceduresByName.parse(appRouter._def.procedures)).flatMap(
    ([name, { _def: definition }]) => {
      const meta = metaSchema.safeParse(definition.meta)
      if (!meta.success) return []
      const [input] = definition.inputs
      if (!(input instanceof z.ZodType)) throw new Error(`${name} has no zod input.`)
      const { method, path } = meta.data.openapi
      return { name, type: definition.type, method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), input }
    },
  )
}
