/** Recognizes the RPC requests that carry one plain call, which can be answered without tRPC's adapter. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Procedure } from './procedures.ts'

/** What Fastify reads from the address of a call; a query parameter that is given twice is a list. */
export type RpcRoute = { Params: { '*': string }; Querystring: Record<string, string | string[]> }

export type SingleCall = {
  procedure: Procedure
  input: unknown
  /** Whether it came as a batch of one, which is answered by a list of one. */
  batched: boolean
}

/**
 * The one call that a request carries in the plainest form that tRPC's clients send. Undefined for everything else, also
 * for what is wrong with it (an unknown procedure, another method, malformed JSON): the adapter has the answer to that.
 */
export function readSingleCall(
  procedures: Map<string, Procedure>,
  request: FastifyRequest<RpcRoute>,
): SingleCall | undefined {
  const { method, headers, query } = request
  const procedure = procedures.get(request.params['*'])
  if (procedure === undefined || method !== (procedure.type === 'query' ? 'GET' : 'POST')) return undefined
  if (asksForMore(headers) || !isJson(headers['content-type'], method)) return undefined
  // Fastify takes a fragment, which no client sends, for a part of the query.
  if (query.connectionParams !== undefined || request.url.includes('#')) return undefined

  const sent = parse(method === 'GET' ? firstOf(query.input) : request.body)
  if (sent === undefined) return undefined
  if (firstOf(query.batch) !== '1') return { procedure, input: sent.value, batched: false }
  if (sent.value === undefined) return { procedure, input: undefined, batched: true }
  if (!isObject(sent.value)) return undefined
  return { procedure, input: sent.value['0'], batched: true }
}

/** Whether another form of answer, such as a stream, is asked for. */
function asksForMore(headers: IncomingHttpHeaders): boolean {
  return headers['trpc-accept'] !== undefined || headers.accept?.includes('application/jsonl') === true
}

/** A GET, which has no body, may do without saying so. */
function isJson(contentType: string | undefined, method: string): boolean {
  if (contentType === 'application/json') return true
  if (contentType === undefined) return method === 'GET'
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

function firstOf(parameter: string | string[] | undefined): string | undefined {
  return Array.isArray(parameter) ? parameter[0] : parameter
}

/** The value that `text` stands for, none where there is no text; undefined when it isn't JSON. */
function parse(text: unknown): { value: unknown } | undefined {
  if (text === undefined || text === '') return { value: undefined }
  if (typeof text !== 'string') return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
