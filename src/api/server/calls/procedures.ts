/** The procedures of the app router, for direct calls from REST and RPC. */
import type { z } from 'zod'
import type { Reason } from '../../../lib/errors.ts'
import { appRouter } from '../../routers/index.ts'
import { type Call, createCall } from '../../trpc/call.ts'
import { type Definition, definitionsOf } from '../../trpc/definition.ts'
import { keepsResponse, type ProcedureMeta } from '../../trpc/procedure-meta.ts'

export type Procedure = {
  /** For example `projects.get`. */
  name: string
  type: Definition['type']
  call: Call
}

export type RestProcedure = Procedure & {
  role: ProcedureMeta['role']
  ofPerson: boolean
  /** Whether jobs of CI systems may call it. */
  forWorkloads: boolean
  example: ProcedureMeta['example']
  method: NonNullable<ProcedureMeta['openapi']>['method']
  /** With parameters in Fastify's syntax: `/v1/projects/:project`. */
  url: string
  input: z.ZodType
  /** Whether a repeat with the same Idempotency-Key gets the first answer again. */
  keepsResponse: boolean
  /** Whether the files may be sent as a zip. */
  takesZip: boolean
  /** Whether it only adds; known of `POST` alone. */
  additive: boolean
  /** The reasons of refusals that only this procedure, or a few, have. */
  reasons: readonly Reason[]
}

const definitions = definitionsOf(appRouter)

/** Every procedure, by name. */
export function proceduresByName(): Map<string, Procedure> {
  return new Map(definitions.map((definition) => [definition.name, procedureOf(definition)]))
}

/** Every procedure with OpenAPI meta, which is part of REST. */
export function restProcedures(): RestProcedure[] {
  return definitions.flatMap((definition) => {
    const {
      openapi,
      role,
      ofPerson = false,
      forWorkloads = false,
      example,
      takesZip = false,
      additive = false,
      reasons = [],
    } = definition.meta
    if (!openapi) return []
    return {
      ...procedureOf(definition),
      role,
      ofPerson,
      forWorkloads,
      example,
      method: openapi.method,
      url: openapi.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      input: definition.input,
      keepsResponse: keepsResponse(definition.meta),
      takesZip,
      additive,
      reasons,
    }
  })
}

function procedureOf(definition: Definition): Procedure {
  const { name, type } = definition
  return { name, type, call: createCall(definition) }
}
