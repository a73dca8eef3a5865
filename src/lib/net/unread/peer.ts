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
  /** Bytes that were made or read for the connection, and not written to it yet. */
  readBytes: number
  /**
   * Calls `write`, which writes to `response`, once the client has read enough of what was written before: at
   * once over HTTP/1.1, where responses take turns anyway. The response may have been closed meanwhile.
   */
  enter(response: Response, write: () => void): void
  /** Called when the client has read what was written to `response`. */
  read(response: Response): void
  /**
   * Resolves once a file may be read for the client, to what is called when that has ended: a few begin at a
   * time, and more while the client doesn't read them.
   */
  beginReading(): Promise<() => void>
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

/** Calls `write` as `Peer.enter` does; at once where nobody counts. */
export function enter(response: Response, write: () => void): void {
  // Spares most responses a look-up.
  const peer = response instanceof Http2ServerResponse ? peerOf(response) : undefined
  if (peer) peer.enter(response, write)
  else write()
}

/** Begins as `Peer.beginReading` does; at once where nobody counts. */
export async function beginReading(response: Response): Promise<() => void> {
  const peer = peerOf(response)
  return peer ? peer.beginReading() : () => {}
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
  return {
    address,
    readBytes: 0,
    enter: (_response, write) => write(),
    // Its timeouts see what is read.
    read() {},
    // One at a time as it is.
    beginReading: async () => () => {},
    unreadBytes() {
      return socket.writableLength + this.readBytes + responsesBehind(socket) * responseBytes
    },
    end: () => void socket.destroy(),
    // Sockets have timeouts of their own.
    endIfStalled() {},
  }
}
