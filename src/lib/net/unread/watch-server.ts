/** Watches what the clients of a server of HTTP/1.1 leave unread. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { UnreadLimits } from './limits.ts'
import { createHttp1Peer, introduce } from './peer.ts'

/**
 * Watches each connection of `server`; `clientOf` names its client, undefined for a proxy, which has many.
 */
export function watchHttp1(
  server: Server,
  unread: UnreadLimits,
  clientOf: (socket: Socket) => string | undefined,
): void {
  server.on('connection', (socket: Socket) => {
    const peer = createHttp1Peer(socket, clientOf(socket))
    introduce(socket, peer)
    socket.once('close', unread.watch(peer))
  })
}
