/** A client of HTTP/2 that sends requests and never reads a response, with windows for all of them. */
import { connect as connectPlain, type Socket } from 'node:net'

const maxWindow = 2 ** 31 - 1
const defaultWindow = 65_535

/** A frame (RFC 9113, section 4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A literal header field that is not indexed (RFC 7541, section 6.2.2). */
function field(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)])
}

function text(value: string): Buffer {
  if (value.length > 126) throw new Error('Longer texts have another length.')
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
}

/** The bytes that begin a session, and `count` GET requests for `path`. */
export function greedyRequests(count: number, authority: string, path: string): Buffer {
  const settings = Buffer.alloc(6)
  settings.writeUInt16BE(4, 0)
  settings.writeUInt32BE(maxWindow, 2)
  const window = Buffer.alloc(4)
  window.writeUInt32BE(maxWindow - defaultWindow)
  const headers = Buffer.concat([
    field(':method', 'GET'),
    field(':scheme', 'https'),
    field(':authority', authority),
    field(':path', path),
  ])
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, 0, 0, settings),
    frame(8, 0, 0, window),
    ...Array.from({ length: count }, (_, index) => frame(1, 5, 2 * index + 1, headers)),
  ])
}

/** Sends them on a plain connection, from which nothing is read. */
export function openGreedy(port: number, count: number, path: string): Socket {
  const socket = connectPlain(port, '127.0.0.1')
  socket.on('error', () => {}).pause()
  socket.write(greedyRequests(count, 'localhost', path))
  return socket
}
