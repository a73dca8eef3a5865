/** A receiver of webhooks on a real socket: it keeps what it receives, and responds as configured. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

export type Receiver = {
  url: string
  port: number
  received: Received[]
  /** The number of connections made to it. */
  connections: number
  /** Sets the next responses: a status, or a function that writes the response. */
  answer: number | ((response: ServerResponse, request: Received) => void)
  close(): Promise<void>
}

/** Over TLS if there is a certificate. */
export async function startReceiver(tls?: { cert: string; key: string }): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const server = tls ? createTlsServer(tls) : createServer()
  const receiver: Receiver = {
    url: '',
    port: 0,
    received: [],
    connections: 0,
    answer: 200,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.on('request', async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const received = { path: request.url ?? '', headers: request.headers, body }
    receiver.received.push(received)
    const { answer } = receiver
    if (typeof answer === 'function') answer(response, received)
    else response.writeHead(answer).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  receiver.port = address !== null && typeof address === 'object' ? address.port : 0
  receiver.url = `${tls ? 'https' : 'http'}://127.0.0.1:${receiver.port}/hook`
  return receiver
}

/** Starts a response of a gigabyte; the socket sends as much as the other side reads. */
export function answerEndlessly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const chunk = Buffer.alloc(64 * 1024, 'a')
  let left = 16_384
  const write = () => {
    while (left > 0) {
      left -= 1
      if (!response.write(chunk)) {
        response.once('drain', write)
        return
      }
    }
    response.end()
  }
  write()
}
