/** The OpenAPI 3.1 document of the REST surface, generated from the router. */
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import type { Reason } from '../../../lib/errors.ts'
import { appRouter, tags } from '../../routers/index.ts'
import { idempotencyKey } from '../../trpc/call.ts'
import { errorBodySchema } from '../../trpc/error-body.ts'
import { type RestProcedure, restProcedures } from '../calls/procedures.ts'
import { errorExample } from './error-examples.ts'
import { refusalsOf } from './errors.ts'
import { openComponents, openSchemas } from './open-schemas.ts'
import { failure, success } from './responses.ts'
import { webhookItems, webhookParameters, webhookSchemas } from './webhooks.ts'

type Document = ReturnType<typeof generateOpenApiDocument>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>
type Schemas = NonNullable<NonNullable<Document['components']>['schemas']>

const json = 'application/json'

const methods = ['get', 'put', 'post', 'delete'] as const

/** The document for an API at `apiUrl`. */
export function createOpenApiDocument(apiUrl: string, version: string): Document {
  const document = generateOpenApiDocument(appRouter, {
    title: 'svc',
    version,
    description:
      'Deploy sites and serve them by host name. The same procedures are a typed tRPC API at `/trpc`. ' +
      'Each operation lists its errors, with an example of each. ' +
      'Requests that match no operation get the same error body: ' +
      '404 `unknown_path`, 405 `method_not_allowed`, and 400, 408, 417 or 431 for malformed HTTP.',
    license: { name: 'MIT', identifier: 'MIT' },
    openApiVersion: '3.1.0',
    baseUrl: apiUrl,
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key (`svc_…`) or a JWT that `POST /v1/token` mints with one. ' +
          'A server with a JWT secret requires a JWT for everything but `GET`. ' +
          'Signed-in users send the token of their session, or its cookie.',
      },
    },
  })
  const procedures = new Map(restProcedures().map((each) => [each.name.replace('.', '-'), described(each)]))
  const { schemas = {}, ...components } = document.components ?? {}
  const kept = Object.entries(schemas).filter(([name]) => !name.startsWith('error.'))
  return {
    ...document,
    tags,
    paths: Object.fromEntries(
      Object.entries(document.paths ?? {}).map(([path, item]) => [
        path,
        Object.fromEntries(
          methods.flatMap((method) => {
            const operation = item[method]
            const procedure = procedures.get(operation?.operationId ?? '')
            return operation && procedure ? [[method, finish(operation, procedure)]] : []
          }),
        ),
      ]),
    ),
    webhooks: webhookItems(),
    components: {
      ...components,
      parameters: webhookParameters,
      examples: errorExamples([...procedures.values()]),
      schemas: openComponents(
        {
          ...Object.fromEntries(kept),
          Error: errorSchema(),
          ...z.record(z.string(), schemaObject).parse(webhookSchemas()),
        },
        requestBodiesOf(document),
      ),
    },
  }
}

function requestBodiesOf({ paths = {} }: Document): unknown[] {
  return Object.values(paths).flatMap((item) => methods.map((method) => item[method]?.requestBody))
}

/** OpenAPI 3.1 uses JSON Schema (2020-12). */
const schemaObject = z.custom<Schemas[string]>((value) => typeof value === 'object' && value !== null)

function errorSchema(): Schemas[string] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(errorBodySchema)
  return schemaObject.parse(schema)
}

/** Facts about an operation that the generator doesn't take from its procedure. */
type Described = {
  method: RestProcedure['method']
  /** The descriptions of the input's fields, by name; the generator drops those of optional fields. */
  fields: Map<string, string | undefined>
  refusals: Map<number, Reason[]>
  takesZip: boolean
  additive: boolean
  example: RestProcedure['example']
}

const propertiesSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional() })).default({}),
})

function described(procedure: RestProcedure): Described {
  const schema = z.toJSONSchema(procedure.input, { io: 'input', unrepresentable: 'any' })
  const { properties } = propertiesSchema.parse(schema)
  const fields = new Map(Object.entries(properties).map(([name, { description }]) => [name, description]))
  const { method, takesZip, additive, example } = procedure
  return {
    method,
    takesZip,
    additive,
    example,
    fields,
    refusals: refusalsOf(procedure, new Set(fields.keys())),
  }
}

/** An example of every error in the document, by reason. */
function errorExamples(operations: Described[]) {
  const reasons = new Set(operations.flatMap(({ refusals }) => [...refusals.values()].flat()))
  return Object.fromEntries([...reasons].sort().map((reason) => [reason, { value: errorExample(reason) }]))
}

const idempotencyKeyHeader: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes retries safe: for 24 hours, the same key and input get the first response again',
  schema: { type: 'string', pattern: idempotencyKey.source },
}

/** Binary data has no schema in OpenAPI 3.1, but its media type (section 4.8.14.4). */
const zipContent = { 'application/zip': { schema: { contentMediaType: 'application/zip' } } }

/** The query has the fields that a zip can't have. */
const zipParameters: Parameter[] = [
  { name: 'project', in: 'query', description: 'With a zip: the project', schema: { type: 'string' } },
  {
    name: 'target',
    in: 'query',
    description: 'With a zip: the target, preview if omitted',
    schema: { type: 'string', enum: ['production', 'preview'] },
  },
  {
    name: 'meta',
    in: 'query',
    description: 'With a zip: an entry of meta for each parameter `meta.<key>`',
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern: '^meta\\.' },
      additionalProperties: { type: 'string' },
      examples: [{ 'meta.branch': 'main' }],
    },
  },
]

/** Adds the errors, examples, descriptions and headers that the generator doesn't know. */
function finish(operation: Operation, described: Described): Operation {
  const { method, fields, refusals, takesZip, additive, example } = described
  const { parameters = [], requestBody, responses = {} } = operation
  const { request, response } = example ?? {}
  const { 200: made } = responses
  return {
    ...operation,
    // An extension of this document, for programs that act for people.
    ...(additive && { 'x-svc-additive': true }),
    parameters: [
      ...parameters.map((each) => ('$ref' in each ? each : describe(each, fields))),
      ...(method === 'POST' ? [idempotencyKeyHeader] : []),
      ...(takesZip ? zipParameters : []),
    ],
    ...(requestBody &&
      !('$ref' in requestBody) && { requestBody: finishBody(requestBody, request, takesZip) }),
    responses: {
      ...(made && !('$ref' in made) && { 200: openSchemas(success(made, response)) }),
      ...Object.fromEntries([...refusals].map(([status, reasons]) => [status, failure(status, reasons)])),
    },
  }
}

function describe(parameter: Parameter, fields: Described['fields']): Parameter {
  const description = fields.get(parameter.name)
  return description === undefined ? parameter : { ...parameter, description }
}

/** A body with only optional fields may be omitted. */
function finishBody(body: RequestBody, example: unknown, takesZip: boolean): RequestBody {
  const content = body.content[json]
  const schema = content?.schema
  const required = schema !== undefined && 'required' in schema && (schema.required?.length ?? 0) > 0
  // All inputs are strict; the generator makes one with a check of its own anew, as one that isn't.
  const closed = schema && !('$ref' in schema) && { schema: { ...schema, additionalProperties: false } }
  const ofJson = { ...content, ...closed, ...(example !== undefined && { example }) }
  return { ...body, required, content: { [json]: ofJson, ...(takesZip && zipContent) } }
}
