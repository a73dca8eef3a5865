/** Servers behind rules: each request is answered by what a test says, and seen as it came. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createRawServer, type Socket } from 'node:net'

export type Origin = { url: string; server: Server; close(): Promise<void> }

/** A server of HTTP on a port of its own. */
export async function startOrigin(answer: RequestListener): Promise<Origin> {
  const server = createServer({ keepAliveTimeout: 20_000 }, answer)
  return { server, ...(await started(server)) }
}

/** A server that says what a test has it say, byte by byte, to each request. */
export async function startRawOrigin(
  talk: (socket: Socket) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', () => talk(socket))
  })
  const origin = await started(server)
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
) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections?.()
      await closed
    },
  }
}
