/** Calls a procedure over HTTP by its name, through REST or RPC, with the same input. */
import { proceduresByName, restProcedures } from '../../../src/api/server/calls/procedures.ts'
import type { TestNode } from '../../support/node.ts'

export type Answer = { status: number; headers: Record<string, string>; body: unknown }

/** `token` undefined calls anonymously. */
export type Call = (
  node: TestNode,
  token: string | undefined,
  name: string,
  input: Record<string, unknown>,
  headers?: Record<string, string>,
) => Promise<Answer>

const rest = new Map(restProcedures().map((procedure) => [procedure.name, procedure]))

/** Whether the procedure is a REST operation. */
export function isOperation(name: string): boolean {
  return rest.has(name)
}

/** Through REST: path parameters go into the path, the rest into the query or the body. */
export const callRest: Call = (node, token, name, input, headers) => {
  const procedure = rest.get(name)
  if (!procedure) throw new Error(`${name} is no operation.`)
  const left = { ...input }
  const path = procedure.url.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = left[field]
    delete left[field]
    return encodeURIComponent(String(value))
  })
  const { method } = procedure
  const inBody = method === 'POST' || method === 'PUT'
  const query = new URLSearchParams(
    Object.entries(inBody ? {} : left).map(([field, value]): [string, string] => [field, String(value)]),
  )
  return send(node, token, method, `${path}?${query}`, inBody ? left : undefined, headers)
}

/** Through RPC. */
export const callRpc: Call = (node, token, name, input) => {
  if (proceduresByName().get(name)?.type === 'mutation')
    return send(node, token, 'POST', `/trpc/${name}`, input)
  const query = encodeURIComponent(JSON.stringify(input))
  return send(node, token, 'GET', `/trpc/${name}?input=${query}`, undefined)
}

async function send(
  node: TestNode,
  token: string | undefined,
  method: string,
  path: string,
  body: unknown,
  more?: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(new URL(path, node.apiUrl), {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const headers = Object.fromEntries(response.headers)
  if (headers['content-type'] === 'text/event-stream') {
    await response.body?.cancel()
    return { status: response.status, headers, body: undefined }
  }
  return { status: response.status, headers, body: await response.json() }
}
