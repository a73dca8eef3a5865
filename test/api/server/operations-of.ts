/** The operations in an OpenAPI document. */
import { z } from 'zod'
import type { TestNode } from '../../support/node.ts'

export type Operation = {
  /** The procedure, such as `projects.get`. */
  procedure: string
  method: string
  /** Such as `/v1/projects/{project}`. */
  template: string
  parameters: string[]
  /** The example of a body, if there is one. */
  body: unknown
}

const content = z.object({ 'application/json': z.object({ example: z.unknown().optional() }) })

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.enum(['get', 'put', 'post', 'delete']),
      z.object({ operationId: z.string(), requestBody: z.object({ content }).optional() }).optional(),
    ),
  ),
})

/** The operations of the document that a node serves. */
export async function operationsOf({ apiUrl }: TestNode): Promise<Operation[]> {
  const response = await fetch(new URL('/openapi.json', apiUrl))
  return operationsIn(await response.json())
}

/** The operations of this document. */
export function operationsIn(document: unknown): Operation[] {
  const { paths } = documentSchema.parse(document)
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation
        ? {
            procedure: operation.operationId.replace('-', '.'),
            method: method.toUpperCase(),
            template,
            parameters: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
            body: operation.requestBody?.content['application/json'].example,
          }
        : [],
    ),
  )
}
