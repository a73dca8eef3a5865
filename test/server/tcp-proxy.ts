/** A TCP proxy that tests can cut, make hang, or let fall silent. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Resets every connection, and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections again, on the same port. */
  restore(): Promise<void>
  /** Says nothing more to connections that have sent `text`, without closing them; returns how many those are. */
  silence(text: string): number
  /** Hands nothing on any more, of connections that are there or come; they stay open. */
  hang(): void
  /** Hands on again, also what came meanwhile. */
  resume(): void
}

/** A proxy on a port of its own to `port` of `host`. */
export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  /** The two ends of each connection, and what was sent to the far one. */
  const pairs = new Set<{ near: Socket; far: Socket; sent: string }>()
  let server: Server | undefined
  let hangs = false

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }

  async function listen(at: number): Promise<number> {
    server = createServer((near) => {
      const far = keep(connect(port, host))
      keep(near).pipe(far).pipe(near)
      const pair = { near, far, sent: '' }
      pairs.add(pair)
      near.on('data', (chunk) => {
        pair.sent += chunk.toString('latin1')
      })
      near.on('close', () => pairs.delete(pair))
      if (hangs) near.pause()
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  const own = await listen(0)
  return {
    port: own,
    async cut() {
      if (!server?.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
      await closed
    },
    silence(text) {
      const silenced = [...pairs].filter(({ sent }) => sent.toLowerCase().includes(text))
      for (const { near, far } of silenced) far.unpipe(near).resume()
      return silenced.length
    },
    async restore() {
      if (!server?.listening) await listen(own)
    },
    hang() {
      hangs = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      hangs = false
      for (const socket of sockets) socket.resume()
    },
  }
}
