/** A client of HTTP/2 that sends requests and never reads a response, with windows for all of them. */
import { connect as connectPlain, type Socket } from 'node:net'
import { flags, frame, frames, requestFields, sessionStart } from '../../../support/http2-frames.ts'

/** The bytes that begin a session, and `count` GET requests for `path`. */
export function greedyRequests(count: number, authority: string, path: string): Buffer {
  const fields = requestFields({ authority, path })
  return Buffer.concat([
    sessionStart(),
    ...Array.from({ length: count }, (_, index) =>
      frame(frames.headers, flags.endStream | flags.endHeaders, 2 * index + 1, fields),
    ),
  ])
}

/** Sends them on a plain connection, from which nothing is read. */
export function openGreedy(port: number, count: number, path: string): Socket {
  const socket = connectPlain(port, '127.0.0.1')
  socket.on('error', () => {}).pause()
  socket.write(greedyRequests(count, 'localhost', path))
  return socket
}
