/**
 * The proxy of servers on nodes without a local route (RFC 9110, section 9.3.6; RFC 9112, section 3.2.2): it
 * tunnels `CONNECT`, and passes on requests whose target is a whole address.
 */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { parseDestination } from '../../../lib/names/private-place.ts'
import { type Destination, Refusal } from './refusal.ts'

type Deps = {
  /** @throws Refusal */
  open: (destination: Destination) => Promise<Socket>
  spend: (bytes: number) => number
  /** Passes bytes between the two sides of a tunnel. */
  relay: (inner: Duplex, outer: Socket) => void
}

/** The most of one server; those without a request are closed after a minute. */
const maxConnections = 256

/** Fields for the proxy itself, and of one connection alone. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'transfer-encoding'],
  'upgrade',
])

/** A proxy that connects by `open`. */
export function createProxy({ open, spend, relay }: Deps): Server {
  const server = createServer((request, response) => {
    passOn(request, response).catch((error: unknown) => fail(response, error))
  })

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = parseUrl(request.url ?? '')
    const destination = url?.protocol === 'http:' && parseDestination(`${url.hostname}:${url.port || 80}`)
    if (!url || !destination) {
      response.writeHead(400, plain).end('This is a proxy: it takes CONNECT, and whole addresses of http.\n')
      return
    }
    const outer = await open(destination)
    const sent = sendRequest({
      createConnection: () => outer,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(request.headers), host: url.host },
      setHost: false,
    })
    response.once('close', () => sent.destroy())
    sent.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
      pipeline(answer, slowed, response, () => {})
    })
    sent.once('error', (error) => fail(response, error))
    pipeline(request, slowed, sent, () => {})
  }

  async function* slowed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      const restMs = spend(chunk.length)
      if (restMs > 0) await wait(restMs)
      yield chunk
    }
  }

  server.maxConnections = maxConnections
  server.on('connect', (request: IncomingMessage, inner: Duplex, head: Buffer) => {
    inner.on('error', () => {})
    const destination = parseDestination(request.url ?? '')
    if (!destination) {
      inner.end(refusalOf('400 Bad Request', 'CONNECT takes host:port.'))
      return
    }
    open(destination).then(
      (outer) => {
        inner.write('HTTP/1.1 200 Connection established\r\n\r\n')
        inner.unshift(head)
        relay(inner, outer)
      },
      (error: unknown) => inner.end(refusalOf(statusOf(error), messageOf(error))),
    )
  })
  return server
}

const plain = { 'content-type': 'text/plain', connection: 'close' }

function endToEnd(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(Number.parseInt(statusOf(error), 10), plain).end(`${messageOf(error)}\n`)
}

/** Some clients try again where a gateway failed, and these would fail again. */
function statusOf(error: unknown): string {
  const isLost = !(error instanceof Refusal) || ['unreachable', 'slow', 'unresolved'].includes(error.reason)
  return isLost ? '502 Bad Gateway' : '403 Forbidden'
}

function messageOf(error: unknown): string {
  return error instanceof Refusal ? error.message : 'The connection was lost.'
}

function refusalOf(status: string, message: string): string {
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n` +
    `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`
  )
}
