/**
 * The document of the procedures that are there by RPC alone, for programs without the typed client: what
 * each takes and returns, as JSON Schema (2020-12), and how it is called over HTTP.
 */
import { z } from 'zod'
import type { Reason } from '../../../lib/errors.ts'
import { appRouter } from '../../routers/index.ts'
import { idempotencyKey } from '../../trpc/call.ts'
import { type Definition, definitionsOf } from '../../trpc/definition.ts'
import { errorBodySchema } from '../../trpc/error-body.ts'
import { keepsResponse } from '../../trpc/procedure-meta.ts'
import { refusalsOf } from './errors.ts'
import { openSchemas } from './open-schemas.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'
const place = '#/$defs/'

type Ref = { $ref: string }

/** A procedure in the document. */
type RpcProcedure = {
  /** For example `links.create`. */
  name: string
  kind: 'query' | 'mutation'
  method: 'GET' | 'POST'
  path: string
  summary: string
  description?: string
  /** The role that it takes, of the team that is named or of the caller. */
  role: 'owner' | 'member'
  /** Whether a repeat with the same Idempotency-Key gets the first response again. */
  idempotency_key: boolean
  input: Ref
  output: Ref
  example: { input: unknown; output: unknown }
  /** The reasons for which it may be refused, by HTTP status. */
  reasons: Record<string, Reason[]>
}

type Schemas = Record<string, object>

type RpcDocument = {
  $schema: string
  $id: string
  title: string
  description: string
  version: string
  procedures: RpcProcedure[]
  $defs: Schemas
}

type Public = Definition & { meta: { public: NonNullable<Definition['meta']['public']> } }

function isPublic(definition: Definition): definition is Public {
  return definition.meta.public !== undefined
}

/** The document for an API at `apiUrl`. */
export function createRpcDocument(apiUrl: string, version: string): RpcDocument {
  const definitions = definitionsOf(appRouter).filter(isPublic)
  return {
    $schema: dialect,
    $id: `${apiUrl}/rpc.json`,
    title: 'svc: procedures by RPC alone',
    description:
      'A query is a GET of its path with `?input=` and its input as JSON, percent-encoded; a mutation is ' +
      'a POST of its input as JSON. Both take `Authorization: Bearer <API key or JWT>`. ' +
      'A 200 is `Success`, and its `result.data` is the output; any other status is `Failure`. ' +
      'Operations of REST are in /openapi.json.',
    version,
    procedures: definitions.map(procedureOf),
    $defs: {
      Success: z.toJSONSchema(z.object({ result: z.object({ data: z.unknown() }) })),
      Failure: openSchemas(z.toJSONSchema(failureSchema)),
      IdempotencyKey: { type: 'string', pattern: idempotencyKey.source },
      ...schemasOf(definitions, 'input'),
      ...openSchemas(schemasOf(definitions, 'output')),
    },
  }
}

/** The body of an error: beside what REST has, the numeric code of JSON-RPC and the status. */
const failureSchema = z.object({
  error: z.object({
    message: z.string(),
    code: z.int(),
    data: errorBodySchema.extend({ httpStatus: z.int() }),
  }),
})

function procedureOf({ name, type, meta, input }: Public): RpcProcedure {
  const { role, ofPerson = false, forWorkloads = false, reasons = [] } = meta
  const { summary, description, example } = meta.public
  const kept = keepsResponse(meta)
  const kind = type === 'mutation' ? type : 'query'
  const refusals = refusalsOf(
    { type, role, ofPerson, forWorkloads, keepsResponse: kept, reasons },
    fieldsOf(input),
  )
  return {
    name,
    kind,
    method: kind === 'mutation' ? 'POST' : 'GET',
    path: `/trpc/${name}`,
    summary,
    ...(description !== undefined && { description }),
    role: role === 'member' ? 'member' : 'owner',
    idempotency_key: kept,
    input: { $ref: `${place}${schemaName(name, 'input')}` },
    output: { $ref: `${place}${schemaName(name, 'output')}` },
    example,
    reasons: Object.fromEntries(refusals),
  }
}

const withProperties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) })

function fieldsOf(input: z.ZodType): Set<string> {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return new Set(Object.keys(withProperties.parse(schema).properties))
}

/** `links.create` and `input` become `LinksCreateInput`. */
function schemaName(procedure: string, side: 'input' | 'output'): string {
  const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return [...procedure.split('.'), side].map(capital).join('')
}

const sharedSchema = z.object({ $defs: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** The schemas of one side of all procedures, and those with names of their own that they refer to. */
function schemasOf(definitions: Public[], side: 'input' | 'output'): Schemas {
  const registry = z.registry<{ id: string }>()
  for (const definition of definitions) {
    // A copy: procedures may share a schema, which has one name in a registry.
    registry.add(definition[side].clone(), { id: schemaName(definition.name, side) })
  }
  const uri = (id: string) => `${place}${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, io: side, unrepresentable: 'any' })
  const { __shared: shared, ...own } = schemas
  const named = shared === undefined ? {} : sharedSchema.parse(shared).$defs
  const all = Object.entries({ ...named, ...own }).map(
    ([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema],
  )
  const text = JSON.stringify(Object.fromEntries(all)).replaceAll(`${place}__shared${place}`, place)
  return z.record(z.string(), z.record(z.string(), z.unknown())).parse(JSON.parse(text))
}
