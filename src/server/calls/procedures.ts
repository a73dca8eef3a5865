/** The procedures of the app router, for direct calls from REST and RPC. */
import { z } from 'zod'
import { type Reason, reasonNames } from '../../errors.ts'
import { appRouter } from '../../routers/index.ts'
import { type Call, createCall } from '../../trpc/call.ts'
import { type Definition, definitionsOf } from '../../trpc/definition.ts'
import { keepsResponse } from '../../trpc/idempotent.ts'

export type Procedure = {
  /** For example `projects.get`. */
  name: string
  type: Definition['type']
  call: Call
}

export type RestProcedure = Procedure & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With parameters in Fastify's syntax: `/v1/projects/:project`. */
  url: string
  input: z.ZodType
  /** Whether a repeat with the same Idempotency-Key gets the first answer again. */
  keepsResponse: boolean
  /** Whether the files may be sent as a zip. */
  takesZip: boolean
  /** Of refusals that only this procedure, or a few, have. */
  reasons: Reason[]
}

const metaSchema = z.object({
  openapi: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
    path: z.string().startsWith('/v1/'),
  }),
  takesZip: z.boolean().default(false),
  reasons: z.array(z.enum(reasonNames)).default([]),
})

const definitions = definitionsOf(appRouter)

/** Every procedure, by name. */
export function proceduresByName(): Map<string, Procedure> {
  return new Map(definitions.map((definition) => [definition.name, procedureOf(definition)]))
}

/** Every procedure with OpenAPI meta, which is part of REST. */
export function restProcedures(): RestProcedure[] {
  return definitions.flatMap((definition) => {
    const meta = metaSchema.safeParse(definition.meta)
    if (!meta.success) return []
    const { openapi, takesZip, reasons } = meta.data
    return {
      ...procedureOf(definition),
      method: openapi.method,
      url: openapi.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      input: definition.input,
      keepsResponse: keepsResponse(definition.meta),
      takesZip,
      reasons,
    }
  })
}

function procedureOf(definition: Definition): Procedure {
  const { name, type } = definition
  return { name, type, call: createCall(definition) }
}
