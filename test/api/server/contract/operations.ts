/** The operations of the OpenAPI document, with every reason for which each may refuse. */
import { z } from 'zod'
import { createOpenApiDocument } from '../../../../src/api/server/openapi/document.ts'
import { type Reason, reasonNames } from '../../../../src/lib/errors.ts'
import { cases, type ProcedureName } from '../every-procedure.ts'

export type Operation = {
  name: ProcedureName
  method: string
  /** Such as `/v1/projects/{project}`. */
  template: string
  refusals: { status: number; reason: Reason }[]
}

const nameSchema = z.custom<ProcedureName>((name) => typeof name === 'string' && Object.hasOwn(cases, name))

const examplesSchema = z.object({
  content: z.object({
    'application/json': z.object({ examples: z.record(z.string(), z.unknown()).optional() }),
  }),
})

const pathsSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({ operationId: z.string(), responses: z.record(z.string(), examplesSchema) }),
  ),
)

const { paths } = createOpenApiDocument('https://api.svc.test', '1')

export const operations: Operation[] = Object.entries(pathsSchema.parse(paths)).flatMap(([template, item]) =>
  Object.entries(item).map(([method, { operationId, responses }]) => ({
    name: nameSchema.parse(operationId.replace('-', '.')),
    method: method.toUpperCase(),
    template,
    refusals: Object.entries(responses).flatMap(([status, { content }]) =>
      Object.keys(content['application/json'].examples ?? {}).map((reason) => ({
        status: Number(status),
        reason: z.enum(reasonNames).parse(reason),
      })),
    ),
  })),
)

/** The operation with this name. */
export function operationOf(name: ProcedureName): Operation {
  const found = operations.find((each) => each.name === name)
  if (!found) throw new Error(`${name} is no operation.`)
  return found
}
