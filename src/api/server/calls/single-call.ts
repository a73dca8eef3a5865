/** Recognizes RPC requests with one plain call, which bypass tRPC's adapter. */
import type { IncomingHttpHeaders } from 'node:http'
import { isRecord } from '../../../lib/is-record.ts'
import { firstOf, isBatch, type RpcRequest } from './called-names.ts'
import type { Procedure } from './procedures.ts'

export type SingleCall = {
  procedure: Procedure
  input: unknown
  /** Whether it is a batch of one, with an array as the response. */
  batched: boolean
}

/**
 * The single call of a request in the plainest form that tRPC's clients send. Undefined for everything else,
 * including invalid requests (an unknown procedure, a wrong method, malformed JSON), which the adapter
 * answers.
 */
export function readSingleCall(
  procedures: Map<string, Procedure>,
  request: RpcRequest,
): SingleCall | undefined {
  const { method, headers, query } = request
  const procedure = procedures.get(request.params['*'])
  if (procedure === undefined || procedure.type === 'subscription') return undefined
  if (method !== (procedure.type === 'query' ? 'GET' : 'POST')) return undefined
  if (asksForMore(headers) || !isJson(headers['content-type'], method)) return undefined
  if (query.connectionParams !== undefined) return undefined

  const sent = parse(method === 'GET' ? firstOf(query.input) : request.body)
  if (sent === undefined) return undefined
  if (!isBatch(request)) return { procedure, input: sent.value, batched: false }
  if (sent.value === undefined) return { procedure, input: undefined, batched: true }
  if (!isRecord(sent.value)) return undefined
  return { procedure, input: sent.value['0'], batched: true }
}

/** Whether the request accepts another format, such as a stream. */
function asksForMore(headers: IncomingHttpHeaders): boolean {
  return headers['trpc-accept'] !== undefined || headers.accept?.includes('application/jsonl') === true
}

/** The content type may be missing from a GET, which has no body. */
function isJson(contentType: string | undefined, method: string): boolean {
  if (contentType === 'application/json') return true
  if (contentType === undefined) return method === 'GET'
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

/** The parsed value, none for no text; undefined when it isn't JSON. */
function parse(text: unknown): { value: unknown } | undefined {
  if (text === undefined || text === '') return { value: undefined }
  if (typeof text !== 'string') return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
