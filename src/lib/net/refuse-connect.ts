/** Answers CONNECT, for which Node would close the connection without a response. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { endInStages } from './close-in-stages.ts'
import { afterResponses } from './latest-response.ts'

/**
 * Has `server` send `answer()`, a whole response with `Connection: close`, and close in stages within
 * `lingerMs`.
 */
export function refuseConnect(server: Server, lingerMs: number, answer: () => string): void {
  server.on('connect', (_request, socket: Socket) => {
    // Node has given the connection up, with its listener for errors.
    socket.on('error', () => socket.destroy())
    afterResponses(socket, () => {
      if (!socket.destroyed && !socket.writableEnded) endInStages(socket, lingerMs, answer())
    })
  })
}
