/** Opens requests to the servers behind rules. */
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { OriginAgents } from './origin-agents.ts'

/** Where a request goes: `path` has the query, and is encoded. */
export type Destination = { origin: string; path: string }

type Head = { method: string; fields: string[] }

/** The largest header of an answer, in bytes. */
export const maxHeaderSize = 64 * 1024

/** How long a connection may take, in milliseconds. */
const connectMs = 10_000

/** A connection that took too long. */
export class ConnectTimeoutError extends Error {}

/**
 * A request whose head is sent with the first bytes of its body. It fails with BlockedAddressError,
 * UnresolvedError, ConnectTimeoutError, or an error of the system or of TLS. @throws BlockedAddressError.
 */
export function openRequest(agents: OriginAgents, to: Destination, { method, fields }: Head): ClientRequest {
  const url = new URL(to.origin)
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)({
    agent: agents.agentFor(url),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    method,
    path: to.path,
    headers: fields,
    maxHeaderSize,
  })
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const late = setTimeout(() => request.destroy(new ConnectTimeoutError()), connectMs).unref()
    const settled = url.protocol === 'https:' ? 'secureConnect' : 'connect'
    for (const event of [settled, 'close']) socket.once(event, () => clearTimeout(late))
  })
  return request
}
