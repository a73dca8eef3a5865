/** The procedures of the app router as the server calls them: directly, from REST and from RPC. */
import { z } from 'zod'
import { type Reason, reasonNames } from '../../errors.ts'
import { appRouter } from '../../routers/index.ts'
import type { Context } from '../../trpc/context.ts'
import { createDirectCall, type ProcedureDefinition } from '../../trpc/direct-call.ts'
import { keepsAnswer } from '../../trpc/idempotent.ts'

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
  /** Whether a repeat with the same Idempotency-Key gets the first answer again. */
  keepsAnswer: boolean
  /** Of refusals that only this procedure, or a few, have. */
  reasons: Reason[]
}

const metaSchema = z.object({
  openapi: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
    path: z.string().startsWith('/v1/'),
  }),
  reasons: z.array(z.enum(reasonNames)).default([]),
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
    const { openapi, reasons } = meta.data
    const [input] = definition.inputs
    return {
      ...procedureOf(name, definition),
      method: openapi.method,
      url: openapi.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      input: z.instanceof(z.ZodType).parse(input),
      keepsAnswer: keepsAnswer(definition.meta),
      reasons,
    }
  })
}

function procedureOf(name: string, definition: ProcedureDefinition): Procedure {
  return { name, type: definition.type, call: createDirectCall(name, definition) }
}
