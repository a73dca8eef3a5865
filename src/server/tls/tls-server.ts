/** Terminates TLS, and hands each connection to the server of the negotiated protocol (ALPN, RFC 7301). */
import type { Server as Http1Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { Http2Server } from '../http/http2-server.ts'
import { type Certificate, secureContext } from './certificate.ts'

type Protocols = { http1: Http1Server; http2: Http2Server }

export type TlsServer = {
  server: Server
  /** Uses another certificate for new connections. */
  use(certificate: Certificate): void
  /** Waits until running handshakes are over, `waitMs` at most. */
  handshakesEnd(waitMs: number): Promise<void>
  /** Closes all open connections. */
  cut(): void
}

/** The server, not yet listening; the handshake must complete within `handshakeMs`. */
export function createTlsServer(
  certificate: Certificate,
  handshakeMs: number,
  { http1, http2 }: Protocols,
): TlsServer {
  const sockets = new Set<Socket>()
  const shaking = new Set<string>()
  let tellShaken = () => {}
  const server = createServer({
    ...secureContext(certificate),
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMs,
    noDelay: true,
    allowHalfOpen: true,
  })
  const shaken = (peer: string) => {
    shaking.delete(peer)
    if (shaking.size === 0) tellShaken()
  }
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    sockets.add(socket)
    shaking.add(peer)
    socket.once('close', () => {
      sockets.delete(socket)
      shaken(peer)
    })
  })
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') {
      // A session can't use a half-open connection, and would stay.
      socket.allowHalfOpen = false
      http2.take(socket)
    } else http1.emit('connection', socket)
    shaken(peerOf(socket))
  })
  return {
    server,
    use: (next) => server.setSecureContext(secureContext(next)),
    async handshakesEnd(waitMs) {
      if (shaking.size === 0) return
      const over = new Promise<void>((resolve) => {
        tellShaken = resolve
      })
      const timer = setTimeout(tellShaken, waitMs)
      await over
      clearTimeout(timer)
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The same key for a connection and for the TLS socket on it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
