/** Requests of the load: each has a response, a failure or a timeout, and none throws. */
import { Agent, request } from 'undici'
import type { Outcome } from '../history/recorder.ts'
import { nodeHeader } from '../parts/balancer.ts'

export type Response = {
  /** 0 without a response. */
  status: number
  /** The process that it came from. */
  node?: string
  /** The body, or what went wrong. */
  text: string
}

type Request = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Longer than any bound: a request that takes this long hangs. */
const timeoutMs = 60_000

/** The load comes from many addresses, as that of a fleet does. */
const clients = 200

/** Closes connections before the load balancer does. */
const agent = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000, connections: 128 })

export async function send(
  url: string,
  { method = 'GET', headers = {}, body }: Request = {},
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  let found: Pick<Response, 'node'> = {}
  try {
    const from = { 'x-forwarded-for': `10.100.0.${1 + Math.floor(Math.random() * clients)}` }
    const response = await request(url, {
      method,
      headers: { ...from, ...headers },
      body: body ?? null,
      dispatcher: agent,
      signal,
    })
    const node = response.headers[nodeHeader]
    if (typeof node === 'string' && node !== '') found = { node }
    return { status: response.statusCode, ...found, text: await response.body.text() }
  } catch (error) {
    return { status: 0, ...found, text: describe(error) }
  }
}

/** Without waiting for connections that are kept. */
export function closeConnections(): Promise<void> {
  return agent.destroy()
}

/** A call of the API with a key. */
export function call(
  apiUrl: string,
  key: string,
  method: Request['method'],
  path: string,
  body?: unknown,
): Promise<Response> {
  return send(apiUrl + path, {
    ...(method && { method }),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/**
 * The outcome of a request that did not succeed. After a failure nobody knows whether a write took effect.
 */
export function unsuccessful({ status, node, text }: Response, isWrite: boolean): Outcome {
  const isFailure = status === 0 || status >= 500
  return {
    type: isWrite && isFailure ? 'info' : 'fail',
    status,
    ...(node !== undefined && { node }),
    note: text.slice(0, 200),
  }
}

/** What every outcome tells of its response. */
export function seenIn({ status, node }: Response): Pick<Outcome, 'status' | 'node'> {
  return { status, ...(node !== undefined && { node }) }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `${error.code}: ${error.message}` : error.message
}
