/** A proxy in front of a node's API that sees what is exchanged there, and can refuse as a node might. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { knowSecret } from './kept-logs.ts'

export type ExchangeProxy = {
  url: string
  /** The address of the node. */
  target: string
  /** The JWTs that the node issued for identity tokens. */
  issued: string[]
  /** Whether a JWT is (still) let through. */
  accepts: (jwt: string) => boolean
  /** If set, the next exchange is refused as one too many, for a moment. */
  busyOnce: boolean
  /** If set, the status and reason with which exchanges are refused. */
  refuse: { status: number; reason: string; message: string } | undefined
  close(): void
}

export async function startExchangeProxy(): Promise<ExchangeProxy> {
  const server = createServer((received, response) => {
    answer(received, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.')

  async function answer(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = received
    const jwt = (headers.authorization ?? '').replace('Bearer ', '')
    if (url === '/v1/token' && jwt === '') {
      const { status, body } = await exchange(await text(received))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else if (proxy.issued.includes(jwt) && !proxy.accepts(jwt)) {
      const refusal = { status: 401, reason: 'unauthorized', message: 'The JWT has expired.' }
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify(errorOf(url, refusal)))
    } else {
      const target = new URL(url, proxy.target)
      const sent = request(target, { method, headers: { ...headers, host: target.host } }, (got) => {
        response.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(response)
      })
      sent.on('error', () => response.destroy())
      received.pipe(sent)
    }
  }

  async function exchange(body: string): Promise<{ status: number; body: unknown }> {
    const refused = busyOf() ?? proxy.refuse
    if (refused) return { status: refused.status, body: { ...refused, request_id: 'req_1' } }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(new URL('/v1/token', proxy.target), { method: 'POST', headers, body })
    const record = Object(await answer.json())
    if (answer.ok) {
      knowSecret('a JWT', record.token)
      proxy.issued.push(record.token)
    }
    return { status: answer.status, body: record }
  }

  function busyOf() {
    if (!proxy.busyOnce) return undefined
    proxy.busyOnce = false
    return { status: 429, reason: 'rate_limited', message: 'Too many requests.' }
  }

  const proxy: ExchangeProxy = {
    url: `http://127.0.0.1:${address.port}`,
    target: '',
    issued: [],
    accepts: () => true,
    busyOnce: false,
    refuse: undefined,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

/** The body of an error, over RPC or REST. */
function errorOf(url: string, error: { status: number; reason: string; message: string }): unknown {
  const { status: httpStatus, reason, message } = error
  const code = 'UNAUTHORIZED'
  const rpc = { error: { code: -32_001, message, data: { code, httpStatus, reason, message } } }
  if (!url.startsWith('/trpc')) return { code, reason, message }
  return url.includes('batch=1') ? [rpc] : rpc
}
