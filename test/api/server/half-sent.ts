/** Requests whose last byte is held back, after the server has processed their headers. */
import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import type { Door } from '../../support/tls.ts'
import { connectRaw } from './raw-http.ts'

export type HalfSent = { method: string; path: string; headers: Record<string, string>; body: string }

export type HalfAnswer = { status: number; text: string }

/** Sends the last byte of a half-sent request, and resolves to its response. */
type Finish = () => Promise<HalfAnswer>

/** Starts a request, and resolves once the server has requested its body (RFC 9110, section 10.1.1). */
export type Begin = (request: HalfSent) => Promise<Finish>

/** On a connection of its own. */
export function onHttp1(door: Door): Begin {
  return async ({ method, path, headers, body }) => {
    const connection = await connectRaw(door)
    const lines = Object.entries({
      host: 'localhost',
      expect: '100-continue',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    connection.send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const { status } = await connection.answer()
    if (status !== 100) throw new Error(`The server did not request the body: ${status}`)
    connection.send(body.slice(0, -1))
    return async () => {
      connection.send(body.slice(-1))
      const answer = await connection.answer()
      connection.socket.destroy()
      return { status: answer.status, text: answer.body }
    }
  }
}

/** As a stream of the session. */
export function onHttp2(session: ClientHttp2Session): Begin {
  return async ({ method, path, headers, body }) => {
    const stream = session.request(
      { ':method': method, ':path': path, expect: '100-continue', ...headers },
      { endStream: false },
    )
    const answer = { status: 0, text: '' }
    stream.on('response', (received) => {
      answer.status = Number(received[':status'])
    })
    stream.setEncoding('utf8').on('data', (text) => {
      answer.text += text
    })
    await once(stream, 'continue')
    stream.write(body.slice(0, -1))
    return async () => {
      stream.end(body.slice(-1))
      await once(stream, 'close')
      return answer
    }
  }
}
