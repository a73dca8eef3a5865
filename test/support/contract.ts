/** Checks REST responses against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'

/** A request and its response; header names are in lower case. */
export type Exchange = {
  method: string
  /** The path, with or without a query. */
  url: string
  status: number
  headers: Record<string, string>
  text: string
}

/** The violations of the document in the exchange, each as a sentence. */
export type Contract = (exchange: Exchange) => string[]

const schema = z.record(z.string(), z.unknown())

const responseSchema = z.object({
  headers: z.record(z.string(), z.object({ required: z.boolean().default(false), schema })),
  content: z.object({
    'application/json': z.object({ schema, examples: z.record(z.string(), z.unknown()).optional() }),
  }),
})

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), responseSchema) })),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

type Response = z.infer<typeof responseSchema>

const errorSchema = { $ref: '#/components/schemas/Error' }
const errorBody = z.object({ reason: z.string(), request_id: z.string() })

/** Responses without an operation, by status: the document describes them in its text. */
const outside = new Map([
  [400, ['malformed_request']],
  [404, ['unknown_path']],
  [405, ['method_not_allowed']],
  [408, ['request_timeout']],
  [417, ['malformed_request']],
  [429, ['rate_limited']],
  [431, ['malformed_request']],
])

/** Statuses that a request can get before its operation is known. */
const beforehand = new Set([400, 408, 417, 431])

/**
 * Schemas that refuse fields which the document doesn't list: clients must accept more, but the program must
 * not send more.
 */
export function closeSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchemas)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closeSchemas(child)]))
  return isOpenObject(copy) ? { ...copy, additionalProperties: false } : copy
}

function isOpenObject(schema: Record<string, unknown>): boolean {
  return schema.type === 'object' && 'properties' in schema && !('additionalProperties' in schema)
}

/** Creates the check for a document. */
export function createContract(document: unknown): Contract {
  const { paths, components } = documentSchema.parse(document)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: closeSchemas(components) })
  const templates = Object.entries(paths).map(([template, item]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    item,
  }))
  const compiled = new Map<object, ValidateFunction>()

  function problemsOfValue(against: object, value: unknown): string[] {
    let validate = compiled.get(against)
    if (!validate) {
      validate = ajv.compile(
        JSON.parse(
          JSON.stringify(closeSchemas(against)).replaceAll('"#/components', '"document#/components'),
        ),
      )
      compiled.set(against, validate)
    }
    return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: 'body' })]
  }

  return ({ method, url, status, headers, text }) => {
    const [path = ''] = url.split(/[?#]/)
    const isHead = method === 'HEAD'
    const item = templates.find(({ pattern }) => pattern.test(path))?.item
    const operation = item?.[isHead ? 'get' : method.toLowerCase()]
    if (!headers['content-type']?.startsWith('application/json')) return ['The body is not called JSON.']
    const body = isHead ? undefined : parse(text)
    const error = errorBody.safeParse(body).data
    const response = operation?.responses[status]
    if (!response || (beforehand.has(status) && error?.reason === 'malformed_request')) {
      const reasons = operation && !beforehand.has(status) ? undefined : outside.get(status)
      if (!reasons) return [`The document does not list the status ${status}.`]
      if (isHead) return []
      const known = error && reasons.includes(error.reason)
      return [
        ...problemsOfValue(errorSchema, body),
        ...(known ? [] : [`${status} ${error?.reason} belongs to no operation.`]),
      ]
    }
    return [
      ...problemsOfHeaders(response, headers),
      ...(isHead ? [] : problemsOfValue(response.content['application/json'].schema, body)),
      ...(error ? problemsOfError(response, headers, error) : []),
    ]
  }
}

function problemsOfHeaders(response: Response, headers: Exchange['headers']): string[] {
  return Object.entries(response.headers).flatMap(
    ([
      name,
      {
        required,
        schema: { type, const: only },
      },
    ]) => {
      const value = headers[name.toLowerCase()]
      if (value === undefined) return required ? [`The header ${name} is missing.`] : []
      const fits = type === 'integer' ? /^\d+$/.test(value) : only === undefined || value === only
      return fits ? [] : [`The header ${name} is ${value}.`]
    },
  )
}

function problemsOfError(
  response: Response,
  headers: Exchange['headers'],
  { reason, request_id }: z.infer<typeof errorBody>,
): string[] {
  const { examples = {} } = response.content['application/json']
  return [
    ...(reason in examples ? [] : [`The operation does not list the reason ${reason}.`]),
    ...(headers['x-request-id'] === request_id ? [] : ['request_id is not x-request-id.']),
  ]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
