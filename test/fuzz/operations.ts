/** The operations in a node's own document: their inputs, and their possible responses. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import type { TestNode } from '../support/node.ts'
import { type Schema, schemaShape, withoutReferences } from './schema.ts'

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }

export type Operation = {
  /** Such as `projects.get`. */
  name: string
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Such as `/v1/projects/{project}`. */
  template: string
  parameters: Parameter[]
  body: Schema | undefined
  /** Matches its paths, whatever the parameters are. */
  pattern: RegExp
  /** The error in a body of this status; undefined if it is valid. */
  problem(status: number, body: unknown): string | undefined
}

const json = z.object({ 'application/json': z.object({ schema: z.unknown() }) })

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.partialRecord(
      z.enum(['get', 'put', 'post', 'delete']),
      z.object({
        operationId: z.string(),
        parameters: z
          .array(
            z.object({
              name: z.string(),
              in: z.enum(['path', 'query', 'header']),
              required: z.boolean().default(false),
              schema: z.unknown(),
            }),
          )
          .default([]),
        requestBody: z.object({ content: json }).optional(),
        responses: z.record(z.string(), z.object({ content: json })),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/** Every operation of the document at `/openapi.json`. */
export async function readOperations({ apiUrl }: TestNode): Promise<Operation[]> {
  const response = await fetch(new URL('/openapi.json', apiUrl))
  const { paths, components } = documentSchema.parse(await response.json())
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const flat = (schema: unknown) => withoutReferences(schema, components.schemas)
  const compiled = new Map<string, ValidateFunction>()
  /** Most operations refuse with the same schema. */
  const validatorOf = (schema: unknown): ValidateFunction => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate
  }
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { operationId, parameters, requestBody, responses }]): Operation => {
      const validators = new Map(
        Object.entries(responses).map(([status, { content }]) => [
          Number(status),
          validatorOf(flat(content['application/json'].schema)),
        ]),
      )
      return {
        name: operationId.replace('-', '.'),
        method: z.enum(['GET', 'PUT', 'POST', 'DELETE']).parse(method.toUpperCase()),
        template,
        pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        parameters: parameters.map((each) => ({ ...each, schema: schemaShape.parse(flat(each.schema)) })),
        body: requestBody && schemaShape.parse(flat(requestBody.content['application/json'].schema)),
        problem(status, body) {
          const validate = validators.get(status)
          if (!validate) return `the document does not list ${status}`
          return validate(body)
            ? undefined
            : `the body breaks the document: ${ajv.errorsText(validate.errors)}`
        },
      }
    }),
  )
}

/** The operation that a request's path belongs to, whatever its parameters are. */
export function operationAt(operations: Operation[], method: string, path: string): Operation | undefined {
  const [pathname = ''] = path.split('?', 1)
  const as = method === 'HEAD' ? 'GET' : method
  return operations.find((each) => each.method === as && each.pattern.test(pathname))
}
