/** The OpenAPI 3.1 document of the REST surface, generated from the router. */
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import type { Reason } from '../../errors.ts'
import { appRouter } from '../../routers/index.ts'
import { idempotencyKey } from '../../trpc/call.ts'
import { errorBodySchema } from '../../trpc/error-body.ts'
import { type RestProcedure, restProcedures } from '../calls/procedures.ts'
import { errorExample } from './error-examples.ts'
import { refusalsOf } from './errors.ts'
import { examples } from './examples.ts'
import { failure, success } from './responses.ts'
import { webhookItems, webhookParameters, webhookSchemas } from './webhooks.ts'

type Document = ReturnType<typeof generateOpenApiDocument>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>
type Schemas = NonNullable<NonNullable<Document['components']>['schemas']>

const json = 'application/json'

const tags = [
  { name: 'Deployments', description: 'Immutable versions of a site, each with an address of its own.' },
  { name: 'Projects', description: 'A site: its host names, its settings, its production deployment.' },
  { name: 'Domains', description: 'Names of your own: whose they are, and where they lead.' },
  { name: 'DNS', description: 'The records of the zones of domains.' },
  { name: 'Webhooks', description: 'Where what happens is told, signed (Standard Webhooks).' },
  { name: 'Teams', description: 'Who works together on projects, and in which role.' },
  { name: 'Tokens & API keys', description: 'Credentials, each bound to one team and one role.' },
  { name: 'Observability', description: 'What there is, and what happens to it.' },
]

const methods = ['get', 'put', 'post', 'delete'] as const

/** The document for an API at `apiUrl`. */
export function createOpenApiDocument(apiUrl: string, version: string): Document {
  const document = generateOpenApiDocument(appRouter, {
    title: 'svc',
    version,
    description:
      'Deploy sites and serve them by host name. The same procedures are a typed tRPC API at `/trpc`. Each operation tells ' +
      'for which reasons it refuses, with an example of each. What comes to no operation is refused in the same body: ' +
      '404 `unknown_path`, 405 `method_not_allowed`, and 400, 408, 417 or 431 for what is no proper HTTP.',
    license: { name: 'MIT', identifier: 'MIT' },
    openApiVersion: '3.1.0',
    baseUrl: apiUrl,
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key (`svc_…`) or a JWT that `POST /v1/token` mints with one. A server with a JWT secret wants a JWT for ' +
          'everything but `GET`. People who signed in send the token of their session, or its cookie.',
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
      schemas: {
        ...Object.fromEntries(kept),
        Error: errorSchema(),
        ...z.record(z.string(), schemaObject).parse(webhookSchemas()),
      },
    },
  }
}

/** A JSON schema (2020-12) is what OpenAPI 3.1 takes for one. */
const schemaObject = z.custom<Schemas[string]>((value) => typeof value === 'object' && value !== null)

function errorSchema(): Schemas[string] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(errorBodySchema)
  return schemaObject.parse(schema)
}

/** What is known of an operation besides what the generator makes of its procedure. */
type Described = {
  method: RestProcedure['method']
  /** What the fields of the input mean, by name; the generator forgets it where a field is optional. */
  fields: Map<string, string | undefined>
  refusals: Map<number, Reason[]>
}

const propertiesSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional() })).default({}),
})

function described(procedure: RestProcedure): Described {
  const schema = z.toJSONSchema(procedure.input, { io: 'input', unrepresentable: 'any' })
  const { properties } = propertiesSchema.parse(schema)
  const fields = new Map(Object.entries(properties).map(([name, { description }]) => [name, description]))
  return { method: procedure.method, fields, refusals: refusalsOf(procedure, new Set(fields.keys())) }
}

/** An example of every error that one of the operations may answer, by its reason. */
function errorExamples(operations: Described[]) {
  const reasons = new Set(operations.flatMap(({ refusals }) => [...refusals.values()].flat()))
  return Object.fromEntries([...reasons].sort().map((reason) => [reason, { value: errorExample(reason) }]))
}

const idempotencyKeyHeader: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the request safe to repeat: for 24 hours, with the same key and input, the first answer comes again',
  schema: { type: 'string', pattern: idempotencyKey.source },
}

/** One operation with the errors, examples, descriptions and headers that the generator doesn't know of. */
function finish(operation: Operation, { method, fields, refusals }: Described): Operation {
  const { operationId = '', parameters = [], requestBody, responses = {} } = operation
  const { request, response } = examples.get(operationId) ?? {}
  const { 200: made } = responses
  return {
    ...operation,
    parameters: [
      ...parameters.map((each) => ('$ref' in each ? each : describe(each, fields))),
      ...(method === 'POST' ? [idempotencyKeyHeader] : []),
    ],
    ...(requestBody && !('$ref' in requestBody) && { requestBody: finishBody(requestBody, request) }),
    responses: {
      ...(made && !('$ref' in made) && { 200: success(made, response) }),
      ...Object.fromEntries([...refusals].map(([status, reasons]) => [status, failure(status, reasons)])),
    },
  }
}

function describe(parameter: Parameter, fields: Described['fields']): Parameter {
  const description = fields.get(parameter.name)
  return description === undefined ? parameter : { ...parameter, description }
}

/** A body of which every field is optional may be left out. */
function finishBody(body: RequestBody, example: unknown): RequestBody {
  const content = body.content[json]
  const schema = content?.schema
  const required = schema !== undefined && 'required' in schema && (schema.required?.length ?? 0) > 0
  return { ...body, required, content: { [json]: { ...content, ...(example !== undefined && { example }) } } }
}
