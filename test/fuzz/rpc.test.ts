/**
 * Generated calls to every procedure at `/trpc`, also those that REST lacks: alone, in batches, and
 * malformed.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../src/api/routers/index.ts'
import { startOwnNode } from '../stores/db/own-node.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { jwtSecret } from '../support/enforcing-node.ts'
import type { TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { type Who, who } from './callers.ts'
import type { Sent } from './calls.ts'
import { type Answer, type Client, isEventStream, openClient } from './client.ts'
import { wholeInputs } from './fields.ts'
import { hostileEncoded, hostileJson } from './hostile.ts'
import { brokenInvariants, rowsOf, watchLog } from './invariants.ts'
import { problemsOf } from './judge.ts'
import { type Operation, readOperations } from './operations.ts'
import { type Result, run, runsOf } from './run.ts'
import { type Schema, schemaShape } from './schema.ts'
import { jsonOf } from './values.ts'
import { newVictim, type Victim } from './victim.ts'
import { jwtOf, newFleetingWorld, newWorld, type World } from './world.ts'

const procedureShape = z.custom<{ _def: { type: 'query' | 'mutation'; inputs: z.ZodType[] } }>()

const procedures = Object.entries(z.record(z.string(), procedureShape).parse(appRouter._def.procedures)).map(
  ([name, { _def }]) => ({
    name,
    type: _def.type,
    input: schemaShape.parse(
      z.toJSONSchema(z.instanceof(z.ZodType).parse(_def.inputs[0]), { io: 'input', unrepresentable: 'any' }),
    ),
  }),
)

let dns: DnsServer
let node: TestNode
let operations: Map<string, Operation>
let client: Client
let victim: Victim
let stranger: string
let before: Record<string, string[]>
let world: World
let errors: () => string[]
let results: Map<string, Promise<Result>>

beforeAll(async () => {
  dns = await startDnsServer()
  node = await startOwnNode({ SVC_JWT_SECRET: jwtSecret, SVC_RESOLVERS: dns.address })
  operations = new Map((await readOperations(node)).map((each) => [each.name, each]))
  client = openClient(node.apiUrl)
  victim = await newVictim(node, dns)
  stranger = await jwtOf(client, (await newTeam(node)).ownerKey)
  before = await rowsOf(node, victim)
  world = await newWorld(node, client, dns, victim, stranger)
  errors = watchLog(node)
  results = new Map(procedures.map((procedure) => [procedure.name, callAll(procedure)]))
})

/** The input of each call as text, most of it JSON. */
type RpcCall = {
  names: string[]
  inputs: string[]
  batch: string | undefined
  method: 'GET' | 'POST'
  headers: Record<string, string>
  query: string
  who: Who
}

const oddHeaders = fc.constantFrom<Record<string, string>>(
  { 'trpc-accept': 'application/jsonl' },
  { accept: 'application/jsonl' },
  { accept: 'text/event-stream' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=a' },
  { 'content-type': 'application/octet-stream' },
  { 'idempotency-key': 'key-1' },
  { 'content-encoding': 'gzip' },
)

const oddQuery = fc.oneof(
  fc.constantFrom(
    'connectionParams={}',
    'connectionParams=%7B%7D',
    'batch=1',
    'batch=0',
    'batch=1&batch=2',
    'input=%7B%7D',
    'input',
    '__proto__=1',
  ),
  hostileEncoded.map((text) => `a=${text.replaceAll('#', '%23')}`),
)

function callOf({ name, type, input }: (typeof procedures)[number]): fc.Arbitrary<RpcCall> {
  const inputOf = (spoiled: number, schema: Schema) => {
    const json = jsonOf(schema, { operation: name, spoiled })
    const whole = wholeInputs[name]?.map((each) => JSON.stringify(each))
    return whole ? fc.oneof(json, whole) : json
  }
  const own = fc.oneof(inputOf(0, input), inputOf(10, input), hostileJson)
  const plain = own.map((text) => ({ names: [name], inputs: [text], batch: undefined }))
  const batched = fc.record({
    names: fc.array(fc.constantFrom(name, name, 'projects.list', 'teams.get', 'nothing', ''), {
      minLength: 1,
      maxLength: 4,
    }),
    inputs: fc.array(
      fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: fc.constantFrom('{}', '') }),
      { maxLength: 5 },
    ),
    batch: fc.constantFrom('1', '1', '1', '0', '', 'true'),
  })
  const method = type === 'query' ? 'GET' : 'POST'
  return fc
    .record({
      what: fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: batched }),
      method: fc.oneof(
        { weight: 15, arbitrary: fc.constant<'GET' | 'POST'>(method) },
        { weight: 1, arbitrary: fc.constantFrom<('GET' | 'POST')[]>('GET', 'POST') },
      ),
      headers: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddHeaders }),
      query: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: oddQuery }),
      who,
    })
    .map(({ what, ...rest }) => ({ ...what, ...rest }))
}

async function callAll(procedure: (typeof procedures)[number]): Promise<Result> {
  const { name } = procedure
  const fleeting = name === 'teams.put' || name === 'teams.delete'
  const { pool, authorization, learn } = fleeting
    ? await newFleetingWorld(node, client, victim, stranger)
    : world
  let single = false
  return run({
    name,
    drawn: callOf(procedure),
    runs: runsOf(500, 0.2),
    prepare(call): Sent {
      single = call.batch === undefined
      const inputs = call.inputs.map((each) => pool.resolve(each))
      const text = single
        ? (inputs[0] ?? '')
        : `{${inputs.map((each, index) => `"${index}":${each}`).join(',')}}`
      const token = authorization(call.who)
      const query = [
        ...(call.batch === undefined ? [] : [`batch=${call.batch}`]),
        ...(call.method === 'GET' ? [`input=${encodeURIComponent(text.toWellFormed())}`] : []),
        ...(call.query === '' ? [] : [call.query]),
      ].join('&')
      const path = `/trpc/${call.names.join(',')}?${query}`
      return {
        method: call.method,
        // Longer ones are refused as malformed HTTP.
        path: path.length > 12_000 ? '/trpc/' : path,
        headers: {
          ...(call.method === 'POST' && { 'content-type': 'application/json' }),
          ...call.headers,
          ...(token !== undefined && { authorization: token }),
        },
        body: call.method === 'POST' ? Buffer.from(text) : undefined,
      }
    },
    send: client.send,
    judge: (sent, answer) => [
      ...problemsOf(sent, answer, victim),
      ...rpcProblems(answer, operations.get(name), single),
    ],
    async learn(_sent, { body, ...answer }) {
      const data = single ? Object(body).result?.data : undefined
      if (data) await learn(name, { ...answer, body: data })
    },
  })
}

const envelope = z.union([
  z.strictObject({ result: z.strictObject({ data: z.unknown() }) }),
  z.strictObject({
    error: z.strictObject({
      message: z.string(),
      code: z.int(),
      data: z.looseObject({ httpStatus: z.int().max(499), request_id: z.string(), reason: z.string() }),
    }),
  }),
])

/** The violations in the response to one call (if the document has it) or to several. */
function rpcProblems(
  { status, body, text, headers }: Answer,
  operation: Operation | undefined,
  single: boolean,
): string[] {
  if (isEventStream(headers)) return text.startsWith('event: connected') ? [] : [`no opened stream: ${text}`]
  // A stream of lines isn't one JSON text.
  if (body === undefined && String(headers['transfer-encoding']) === 'chunked') return []
  const parsed = z.union([envelope, z.array(envelope)]).safeParse(body)
  if (!parsed.success) return isPlainError(body) ? [] : [`no envelope: ${z.prettifyError(parsed.error)}`]
  if (!single || Array.isArray(parsed.data) || !operation) return []
  const { data } = parsed
  if ('result' in data) return [operation.problem(200, data.result.data) ?? []].flat()
  const { httpStatus, ...error } = data.error.data
  const wrong = httpStatus === status ? [] : [`httpStatus ${httpStatus} of a ${status}`]
  return [...wrong, ...[operation.problem(400, error) ?? []].flat()]
}

/** Malformed HTTP is refused the same everywhere. */
function isPlainError(body: unknown): boolean {
  return Object(body).reason === 'malformed_request' || Object(body).reason === 'unknown_path'
}

afterAll(async () => {
  await Promise.allSettled(results.values())
  await client.close()
  await node.stop()
  await dns.close()
})

describe('generated calls to', { timeout: 30 * 60_000 }, () => {
  it.each(procedures.map(({ name }) => name))('%s', async (name) => {
    const result = await results.get(name)
    expect(result?.failure).toBeUndefined()
  })

  it('leave another team as it was, no contradiction, and no error in the log', async () => {
    await Promise.all(results.values())
    expect(await rowsOf(node, victim)).toEqual(before)
    expect(await brokenInvariants(node)).toEqual([])
    expect(errors()).toEqual([])
  })
})
