/** One question after another on a connection that stays open, and how long each answer took. */
import { once } from 'node:events'
import { connect } from 'node:net'

/** Opens a connection to `port` of this machine. */
export async function openConnection(port) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')

  /**
   * Asks for `path` and reads all of the answer; returns the milliseconds that took, and the answer's
   * content.
   * @throws when the answer isn't 200.
   */
  async function ask(path, headers) {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const startMs = performance.now()
    socket.write(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`)
    let received = ''
    while (!isWhole(received)) received += (await once(socket, 'data'))[0].toString('latin1')
    const ms = performance.now() - startMs
    if (!received.startsWith('HTTP/1.1 200 ')) throw new Error(`${path} was answered with ${received}`)
    return { ms, content: received.slice(received.indexOf(headEnd) + headEnd.length) }
  }

  return { ask, close: () => socket.destroy() }
}

const headEnd = '\r\n\r\n'

function isWhole(text) {
  const end = text.indexOf(headEnd)
  if (end === -1) return false
  const length = Number(/^content-length: (\d+)\r$/im.exec(text.slice(0, end + 2))?.[1])
  return text.length === end + headEnd.length + length
}
