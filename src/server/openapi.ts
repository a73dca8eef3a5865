/** The OpenAPI 3.1 document of the REST surface, generated from the router. */
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import { appRouter } from '../routers/index.ts'
import { idempotencyKey } from '../trpc/call-once.ts'
import { errorBodySchema } from '../trpc/error-body.ts'
import { examples } from './openapi-examples.ts'
import { webhookItems, webhookParameters, webhookSchemas } from './openapi-webhooks.ts'
import { restProcedures } from './procedures.ts'

type Document = ReturnType<typeof generateOpenApiDocument>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Response = Exclude<NonNullable<Operation['responses']>[string], { $ref: string }>
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

const errorDescriptions: Record<string, string> = {
  400: 'The input is invalid; issues tell where.',
  401: 'The token is missing or invalid (unauthorized), or of the wrong kind: this server wants a JWT here (jwt_required).',
  403: "The role is too low, or another site sent the request with a session's cookie.",
  404: 'There is no such thing in this team.',
  408: 'The body came too slowly.',
  409: 'A name in use, or a state that does not permit it; an Idempotency-Key in use.',
  413: 'The body is too large.',
  429: 'Too many requests; see Retry-After and retry_after_ms.',
  431: 'The headers, or the address with its parameters, are too large: 16 KiB, 200 headers.',
  500: 'Something went wrong on our side.',
  503: 'A store that this needs is away; see Retry-After.',
}

const methods = ['get', 'put', 'post', 'delete'] as const

/** The document for an API at `apiUrl`. */
export function createOpenApiDocument(apiUrl: string, version: string): Document {
  const document = generateOpenApiDocument(appRouter, {
    title: 'svc',
    version,
    description:
      'Deploy sites and serve them by host name. The same procedures are a typed tRPC API at `/trpc`.',
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
            return operation ? [[method, finish(method, operation)]] : []
          }),
        ),
      ]),
    ),
    webhooks: webhookItems(),
    components: {
      ...components,
      parameters: webhookParameters,
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

/** What any caller may be told: that it calls too often, sends too much or, for a session, that it is in no such team. */
const errorsOfAll = ['404', '429', '431']

/** What besides can go wrong where something changes: with a cookie's origin, or a body, also where none is needed. */
const errorsOfChanges = [...errorsOfAll, '403', '408', '413']

/** What every operation of the method may be sent, and may answer, beside what its procedure says. */
const ofMethod: Record<(typeof methods)[number], { parameters: Parameter[]; errors: string[] }> = {
  get: { parameters: [], errors: errorsOfAll },
  put: { parameters: [], errors: errorsOfChanges },
  delete: { parameters: [], errors: errorsOfChanges },
  post: {
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'Makes the request safe to repeat: for 24 hours, with the same key and input, the first answer comes again',
        schema: { type: 'string', pattern: idempotencyKey.source },
      },
    ],
    errors: [...errorsOfChanges, '409'],
  },
}

/** One operation with the errors, examples, descriptions and headers that the generator doesn't know of. */
function finish(method: (typeof methods)[number], operation: Operation): Operation {
  const { operationId = '', parameters = [], requestBody, responses: made = {} } = operation
  const { request, response } = examples.get(operationId) ?? {}
  const described = descriptions(operationId)
  const { parameters: added, errors } = ofMethod[method]
  const responses = { ...Object.fromEntries(errors.map((status) => [status, {}])), ...made }
  return {
    ...operation,
    parameters: [...parameters.map((each) => ('$ref' in each ? each : describe(each, described))), ...added],
    ...(requestBody && !('$ref' in requestBody) && { requestBody: finishBody(requestBody, request) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, given]) => [
        status,
        status === '200' && !('$ref' in given) ? success(given, response) : failure(status),
      ]),
    ),
  }
}

const propertiesSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional() })).default({}),
})

/** What the fields of an operation's input mean; the generator forgets it where a field is optional. */
function descriptions(operationId: string): Map<string, string> {
  const procedure = restProcedures().find(({ name }) => name.replace('.', '-') === operationId)
  if (!procedure) return new Map()
  const schema = z.toJSONSchema(procedure.input, { io: 'input', unrepresentable: 'any' })
  return new Map(
    Object.entries(propertiesSchema.parse(schema).properties).flatMap(([name, { description }]) =>
      description === undefined ? [] : [[name, description]],
    ),
  )
}

function describe(parameter: Parameter, described: Map<string, string>): Parameter {
  const description = described.get(parameter.name)
  return description === undefined ? parameter : { ...parameter, description }
}

/** A body of which every field is optional may be left out. */
function finishBody(body: RequestBody, example: unknown): RequestBody {
  const content = body.content[json]
  const schema = content?.schema
  const required = schema !== undefined && 'required' in schema && (schema.required?.length ?? 0) > 0
  return { ...body, required, content: { [json]: { ...content, ...(example !== undefined && { example }) } } }
}

const commonHeaders = {
  'x-request-id': { description: 'Names this request in the logs', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limit that this request counts against: q at once, all of them back within w seconds',
    schema: { type: 'string', examples: ['"free";q=100;w=5'] },
  },
  RateLimit: {
    description: 'What is left of it: r requests now, all of them in t seconds',
    schema: { type: 'string', examples: ['"free";r=99;t=1'] },
  },
} as const

const retryAfterHeader = { description: 'Seconds', schema: { type: 'integer' } } as const

function success(response: Response, example: unknown): Response {
  return {
    ...response,
    headers: commonHeaders,
    content: { [json]: { ...response.content?.[json], ...(example !== undefined && { example }) } },
  }
}

function failure(status: string): Response {
  return {
    description: errorDescriptions[status] ?? 'An error.',
    headers: {
      ...commonHeaders,
      ...(status === '401' && { 'www-authenticate': { schema: { type: 'string', const: 'Bearer' } } }),
      ...((status === '429' || status === '503') && { 'retry-after': retryAfterHeader }),
    },
    content: { [json]: { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
