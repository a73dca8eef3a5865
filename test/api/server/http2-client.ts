/** Requests on HTTP/2 sessions, including invalid ones that no usual client would send. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import type { Door } from '../../support/tls.ts'

export type Http2Answer = { status: number; headers: Map<string, string>; text: string; reset: number }

/** An open session; end it with `destroy()`. */
export async function openSession({ apiUrl, ca }: Door): Promise<ClientHttp2Session> {
  const session = connect(apiUrl, { ca })
  // Requests are judged by their responses.
  session.on('error', () => {})
  await once(session, 'connect')
  return session
}

/** Sends one request, and resolves once its stream is closed; the status is 0 when there was no response. */
export function sendRequest(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Uint8Array,
): Promise<Http2Answer> {
  const stream = session.request(headers, { endStream: body === undefined })
  const answer: Http2Answer = { status: 0, headers: new Map(), text: '', reset: 0 }
  stream.on('response', (received) => {
    answer.status = Number(received[':status'])
    for (const [name, value] of Object.entries(received)) answer.headers.set(name, String(value))
  })
  stream.setEncoding('utf8').on('data', (text) => {
    answer.text += text
  })
  stream.on('error', () => {})
  if (body !== undefined) stream.end(body)
  return new Promise((resolve) => {
    stream.on('close', () => resolve({ ...answer, reset: stream.rstCode ?? 0 }))
  })
}
