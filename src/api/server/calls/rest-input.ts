/**
 * Parses a REST request to a procedure's input, converting path and query strings to the types of the schema.
 */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type Issue, invalidField } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'

type Kind = 'number' | 'boolean' | 'string'

type Strings = Record<string, string>
type Lists = Record<string, string | string[]>

/** Fastify's parsed path and query; repeated query parameters are arrays. */
export type RestRoute = { Params: Strings; Querystring: Lists }

type RestRequest = FastifyRequest<RestRoute>

/** Reads the input of requests for one procedure, whose input `schema` is looked at once. */
export function restInputReader(
  schema: z.ZodType,
  bodyAllowed: boolean,
): (request: RestRequest) => Record<string, unknown> {
  const kinds = queryKinds(schema)
  return (request) => {
    const { params, query } = request
    if (Object.hasOwn(query, '__proto__')) throw invalidField('__proto__', 'unknown field')
    if (request.method !== 'DELETE' && !bodyAllowed && hasContent(request)) {
      throw new AppError('invalid_input', 'A GET has no body: send its parameters in the query.')
    }
    const body = readObject(request.body)
    const issues = misplaced(params, query, body, bodyAllowed)
    if (issues.length > 0) {
      throw new AppError('invalid_input', `${issues[0]?.path}: ${issues[0]?.message}`, { issues })
    }
    const input: Record<string, unknown> = { ...body, ...params }
    for (const name in query) input[name] = coerce(query[name], kinds.get(name))
    return input
  }
}

/**
 * Issues for misplaced parameters: repeated, in the query of a request with a body, or the other way round.
 */
function misplaced(
  params: Strings,
  query: Lists,
  body: Record<string, unknown>,
  bodyAllowed: boolean,
): Issue[] {
  const issues: Issue[] = []
  for (const name in params) {
    if (name in body || name in query) issues.push(at(name, 'already in the path; omit it here'))
  }
  if (!bodyAllowed) for (const name in body) issues.push(at(name, 'not accepted in a body here'))
  for (const name in query) {
    if (bodyAllowed) issues.push(at(name, 'not a query parameter here; send it in the body'))
    if (Array.isArray(query[name])) issues.push(at(name, 'given more than once'))
  }
  return issues
}

/** Whether the request has a body, which Fastify doesn't parse here (RFC 9112, section 6). */
function hasContent({ headers }: RestRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function at(path: string, message: string): Issue {
  return { path, message }
}

function readObject(body: unknown): Record<string, unknown> {
  if (body === undefined) return {}
  // A schema would copy it, field by field.
  if (!isRecord(body)) throw new AppError('invalid_input', 'The body must be a JSON object.')
  return body
}

/** The parsed value; text that doesn't parse is kept, for the schema to refuse. */
function coerce(value: unknown, kind: Kind | undefined): unknown {
  if (typeof value !== 'string') return value
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const jsonTypes = z.union([z.string(), z.array(z.string())]).optional()
const inputShape = z.object({ properties: z.record(z.string(), z.object({ type: jsonTypes })).optional() })

function queryKinds(schema: z.ZodType): Map<string, Kind> {
  const { properties = {} } = inputShape.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  )
  return new Map(Object.entries(properties).map(([name, { type = [] }]) => [name, kindOf([type].flat())]))
}

function kindOf(types: string[]): Kind {
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'string'
}
