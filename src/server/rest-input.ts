/** From a REST request to a procedure's input: path and query strings become what their schema asks for. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type Issue, invalidField } from '../errors.ts'

type Kind = 'number' | 'boolean' | 'string'

const plainObject = z.record(z.string(), z.unknown())
const strings = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** Reads the input of requests for one procedure, whose input `schema` is looked at once. */
export function restInputReader(
  schema: z.ZodType,
  bodyAllowed: boolean,
): (request: FastifyRequest) => Record<string, unknown> {
  const kinds = queryKinds(schema)
  return (request) => {
    const params = strings.parse(request.params)
    if (Object.values(params).includes('')) {
      throw new AppError('unknown_path', 'There is nothing at a path that ends with a slash. See /docs.')
    }
    if (request.method !== 'DELETE' && !bodyAllowed && hasContent(request)) {
      throw new AppError('invalid_input', 'A GET takes no body: send its parameters in the query.')
    }
    const query = readQuery(request.query)
    const body = readObject(request.body)
    const issues = [
      ...Object.keys(params)
        .filter((name) => name in body || name in query)
        .map((name) => at(name, 'is in the path; leave it out here')),
      ...(bodyAllowed ? Object.keys(query) : Object.keys(body)).map((name) =>
        at(
          name,
          bodyAllowed
            ? 'is not a query parameter here; send it in the body'
            : 'is not taken from a body here',
        ),
      ),
      ...Object.entries(query).flatMap(([name, value]) =>
        Array.isArray(value) ? at(name, 'is given more than once') : [],
      ),
    ]
    if (issues.length > 0) {
      throw new AppError('invalid_input', `${issues[0]?.path}: ${issues[0]?.message}`, { issues })
    }
    const input: Record<string, unknown> = { ...body, ...params }
    for (const [name, value] of Object.entries(query)) input[name] = coerce(value, kinds.get(name))
    return input
  }
}

/** Whether a body came, which Fastify doesn't read here (RFC 9112, section 6). */
function hasContent({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function at(path: string, message: string): Issue {
  return { path, message }
}

function readObject(body: unknown): Record<string, unknown> {
  if (body === undefined) return {}
  const parsed = Array.isArray(body) ? undefined : plainObject.safeParse(body)
  if (!parsed?.success) throw new AppError('invalid_input', 'The body must be a JSON object.')
  return parsed.data
}

/** The parameters by name. zod would leave out one named `__proto__` without a word. */
function readQuery(query: unknown): Record<string, string | string[]> {
  if (Object.hasOwn(Object(query), '__proto__')) {
    throw invalidField('__proto__', 'is not a field here; remove it')
  }
  return strings.parse(query)
}

/** The value that the text stands for; text that doesn't stand for one stays, and the schema refuses it. */
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
