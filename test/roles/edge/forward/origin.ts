/** Servers that requests are passed on to: a test says what each request is answered with, and sees it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createRawServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `url` is empty for one at a Unix socket, `path` for one at a port. */
type Place = { url: string; path: string }

export type Origin = Place & { server: Server; close(): Promise<void> }

/** A port of its own, or a Unix socket. */
type Where = 'port' | 'socket'

/** A server of HTTP. */
export async function startOrigin(answer: RequestListener, where: Where = 'port'): Promise<Origin> {
  const server = createServer({ keepAliveTimeout: 20_000 }, answer)
  return { server, ...(await started(server, where)) }
}

/** A server that says what a test has it say, byte by byte, to each request. */
export async function startRawOrigin(
  talk: (socket: Socket) => void,
  where: Where = 'port',
): Promise<Place & { close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', () => talk(socket))
  })
  const origin = await started(server, where)
  return {
    ...origin,
    async close() {
      for (const socket of sockets) socket.destroy()
      await origin.close()
    },
  }
}

async function started(
  server: ReturnType<typeof createRawServer> & Partial<Pick<Server, 'closeAllConnections'>>,
  where: Where,
) {
  // A short path: there is a limit of a hundred characters or so.
  const path = where === 'socket' ? join(tmpdir(), `svc-${randomBytes(6).toString('hex')}`) : ''
  if (where === 'socket') server.listen(path)
  else server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null) throw new Error('There is no address.')
  return {
    url: typeof address === 'string' ? '' : `http://127.0.0.1:${address.port}`,
    path,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections?.()
      await closed
    },
  }
}
