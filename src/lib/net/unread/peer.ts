/** A client's connection, and what waits in memory for the client to read it. */
import type { ServerResponse } from 'node:http'
import { Http2ServerResponse, type Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { responsesBehind } from '../latest-response.ts'

/** A response over either protocol. */
type Response = ServerResponse | Http2ServerResponse

export type Peer = {
  /** The bucket of the client's address; undefined for a proxy, which has many clients. */
  readonly address: string | undefined
  /** Bytes that were made for the connection without waiting, and are not written to it yet. */
  madeBytes: number
  /**
   * Resolves once so many bytes may be read or made for `response`, which is when its client has read enough
   * of what was sent before; undefined: at once, as always over HTTP/1.1, where responses take turns anyway.
   * They are held from then on. The response may have been closed meanwhile.
   */
  enter(response: Response, bytes: number): Promise<void> | undefined
  /** Whether so many bytes that are there anyway may be written to `response` now; they are written then. */
  hasRoom(response: Response, bytes: number): boolean
  /** So many bytes more, or fewer, are in memory for `response`, and not written to it yet. */
  hold(response: Response, bytes: number): void
  /** Called when the client has read what was written to `response`. */
  read(response: Response): void
  /** Bytes that wait for the client. */
  unreadBytes(): number
  /** Ends the connection at once. */
  end(): void
  /**
   * Ends the connection if something waits and nothing was read for `stalledMs`; `nowMs` is
   * `performance.now()`.
   */
  endIfStalled(nowMs: number, stalledMs: number): void
}

const peers = new WeakMap<Socket | Http2Session, Peer>()

/** Makes `peer` known as the one of a connection or a session. */
export function introduce(connection: Socket | Http2Session, peer: Peer): void {
  peers.set(connection, peer)
}

/** The client of a response; undefined where nobody counts, or the connection has closed. */
export function peerOf(response: Response): Peer | undefined {
  const connection =
    response instanceof Http2ServerResponse ? response.stream.session : (response.socket ?? undefined)
  return connection && peers.get(connection)
}

/** Whether nobody gets the rest of a response. */
export function isGone(response: Response): boolean {
  return response instanceof Http2ServerResponse ? response.stream.destroyed : response.destroyed
}

/**
 * About what a request and its response take besides their bodies, while they wait for others before them.
 */
const responseBytes = 8 * 1024

/** The client of a connection of HTTP/1.1. */
export function createHttp1Peer(socket: Socket, address: string | undefined): Peer {
  let heldBytes = 0
  return {
    address,
    madeBytes: 0,
    enter(_response, bytes) {
      heldBytes += bytes
      return undefined
    },
    hasRoom: () => true,
    hold(_response, bytes) {
      heldBytes += bytes
    },
    // Its timeouts see what is read.
    read() {},
    unreadBytes() {
      return socket.writableLength + heldBytes + this.madeBytes + responsesBehind(socket) * responseBytes
    },
    end: () => void socket.destroy(),
    // Sockets have timeouts of their own.
    endIfStalled() {},
  }
}
