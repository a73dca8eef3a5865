/** Terminates TLS, and hands each connection to the server of the negotiated protocol (ALPN, RFC 7301). */
import type { Server as Http1Server } from 'node:http'
import { createServer as createNetServer, type Server, type Socket } from 'node:net'
import { createServer, type SecureContext, TLSSocket, type TlsOptions } from 'node:tls'
import type { Http2Server } from '../net/http2-server.ts'
import { responseUnderWay } from '../net/latest-response.ts'
import { type ReadProxyHeader, setClient } from '../net/proxy-protocol.ts'
import { type Certificate, secureContext } from './certificate.ts'

type Protocols = { http1: Http1Server; http2: Http2Server }

export type TlsServer = {
  server: Server
  /** Uses another certificate for new connections. */
  use(certificate: Certificate): void
  /** Encrypts new session tickets with other keys. */
  useTicketKeys(keys: Buffer): void
  /** Waits until running handshakes are over, `waitMs` at most. */
  handshakesEnd(waitMs: number): Promise<void>
  /** Closes all open connections. */
  cut(): void
}

/** Takes some connections before their handshake: resolves to whether it took this one; undefined for no. */
export type Divert = (socket: Socket) => Promise<boolean> | undefined

/**
 * Finds the certificate of a host, in lower case, for a client at an address; undefined for that of the
 * server. A host that is `unrecognized` is refused with an alert (RFC 6066, section 3); where it rejects, the
 * handshake ends.
 */
export type FindContext = (
  host: string,
  client: string,
) => Promise<SecureContext | 'unrecognized' | undefined>

type Options = {
  /** For clients that name no host, or one without a certificate of its own; undefined: they are refused. */
  certificate: Certificate | undefined
  contextOf?: FindContext | undefined
  /** Within how many milliseconds the handshake must complete. */
  handshakeMs: number
  /** 48 bytes that encrypt session tickets; undefined: of this server alone. */
  ticketKeys: Buffer | undefined
  divert?: Divert | undefined
  /** Reads the headers of proxies, where they send them. */
  readProxyHeader?: ReadProxyHeader | undefined
  /** Called with each connection before its handshake. */
  accepted?: ((socket: Socket) => void) | undefined
}

/**
 * A record with a fatal alert, `unrecognized_name` (RFC 8446, sections 5.1 and 6). Nothing is encrypted yet
 * when a name is found to be unknown: the server has sent nothing.
 */
const unrecognizedName = Buffer.from([21, 3, 3, 0, 2, 2, 112])

type FoundContext = (error: Error | null, context?: SecureContext) => void

/** The same in every process, so that a session is resumed by another one. */
export const sessionIdContext = 'svc'

/** The server, not yet listening. */
export function createTlsServer(options: Options, { http1, http2 }: Protocols): TlsServer {
  /** By their peers. */
  const sockets = new Map<string, Socket>()
  const shaking = new Set<string>()
  let resolveShaken = () => {}
  let { ticketKeys } = options
  const tls = createServer({ ...tlsOptions(options), ...(options.contextOf && { SNICallback: findContext }) })
  const shaken = (peer: string) => {
    shaking.delete(peer)
    if (shaking.size === 0) resolveShaken()
  }
  const clients = new Map<string, string>()
  const server = createNetServer({ noDelay: true })
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    sockets.set(peer, socket)
    shaking.add(peer)
    socket.once('close', () => {
      sockets.delete(peer)
      clients.delete(peer)
      shaken(peer)
    })
    const reading = options.readProxyHeader?.(socket)
    if (!reading) accept(socket)
    else
      void reading.then(({ isValid, client }) => {
        if (client !== undefined) {
          clients.set(peer, client)
          setClient(socket, client)
        }
        if (isValid) accept(socket)
        else socket.destroy()
      })
  })
  /** Node calls it on the socket of the handshake. */
  function findContext(this: unknown, name: string, done: FoundContext): void {
    const { certificate, contextOf } = options
    const shaking = this instanceof TLSSocket ? peerOf(this) : ''
    const socket = sockets.get(shaking)
    const found = (context: SecureContext | 'unrecognized' | undefined) => {
      // Without one, Node uses that of the server.
      const isKnown = context !== 'unrecognized' && (context ?? certificate) !== undefined
      if (isKnown) done(null, context)
      else {
        socket?.write(unrecognizedName)
        done(new Error('This host is not served here.'))
      }
    }
    contextOf?.(name.toLowerCase(), socket?.remoteAddress ?? '').then(found, done)
  }
  function accept(socket: Socket): void {
    options.accepted?.(socket)
    if (socket.destroyed) return
    const diverting = options.divert?.(socket)
    if (!diverting) tls.emit('connection', socket)
    else void diverting.then((isDiverted) => isDiverted || tls.emit('connection', socket))
  }
  tls.on('secureConnection', (socket) => {
    const peer = peerOf(socket)
    const client = clients.get(peer)
    if (client !== undefined) setClient(socket, client)
    if (socket.alpnProtocol === 'h2') http2.take(socket, sockets.get(peer))
    else {
      // Not before: a handshake that its client has given up would last until its timeout. Nor could a
      // session of HTTP/2 use it.
      socket.allowHalfOpen = true
      http1.emit('connection', socket)
      socket.once('end', () => endIfUnused(socket))
    }
    shaken(peer)
  })
  return {
    server,
    // All of it is set anew: what is left out would become this server's own.
    use: (next) =>
      tls.setSecureContext({ ...secureContext(next), sessionIdContext, ...(ticketKeys && { ticketKeys }) }),
    useTicketKeys(keys) {
      ticketKeys = keys
      tls.setTicketKeys(keys)
    },
    async handshakesEnd(waitMs) {
      if (shaking.size === 0) return
      const over = new Promise<void>((resolve) => {
        resolveShaken = resolve
      })
      const timer = setTimeout(resolveShaken, waitMs)
      await over
      clearTimeout(timer)
    },
    cut: () => {
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

function tlsOptions({ certificate, handshakeMs, ticketKeys }: Options): TlsOptions {
  return {
    ...secureContext(certificate),
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMs,
    sessionIdContext,
    ...(ticketKeys && { ticketKeys }),
  }
}

/**
 * A client that has ended its side gets the response to what it has sent; without a request it would stay
 * until a timeout.
 */
function endIfUnused(socket: TLSSocket): void {
  if (!responseUnderWay(socket)) socket.end()
}

/** The same key for a connection and for the TLS socket on it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
