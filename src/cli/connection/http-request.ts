/** One HTTP request over `node:http`, which loads in a third of the time of `fetch`. */
import { once } from 'node:events'
import { IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Through } from './proxy/find-proxy.ts'

/**
 * Longer than any answer: one that lists all files of the largest deployment as missing has some tens of MiB.
 */
const maxAnswerBytes = 128 * 1024 * 1024

type Request = {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  through?: Through | undefined
}

export type TextResponse = {
  status: number
  headers: IncomingMessage['headers']
  text: string
  /** The IP address that sent it; unknown behind a proxy. */
  peer: string | undefined
}

/** An answer that is longer than what the command keeps in memory. */
export class EndlessAnswerError extends Error {}

/**
 * Sends the request and resolves to the whole answer, whatever its status. @throws when there is none,
 * EndlessAnswerError where it has more than `maxBytes`, and ProxyError.
 */
export async function exchange(
  address: string,
  { method, headers, body, signal, through }: Request,
  maxBytes = maxAnswerBytes,
): Promise<TextResponse> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const options = { method, headers: { ...headers, ...length }, signal }
  const sent = through
    ? through.requestThrough(through.proxy, address, options)
    : await open(address, options)
  sent.end(body)
  // Later errors surface while the body is read.
  sent.on('error', () => {})
  const [response] = await once(sent, 'response').catch((error: unknown) => {
    throw through?.problemOf(through.proxy, address, error) ?? error
  })
  if (!(response instanceof IncomingMessage)) throw new TypeError('not a response')
  const { statusCode: status = 0, headers: received, socket } = response
  const problem = through?.problemOf(through.proxy, address, status)
  if (problem) throw problem
  // A socket that is kept for the next request has no address any more once the answer is whole.
  const peer = through ? undefined : socket.remoteAddress
  return { status, headers: received, peer, text: (await readUpTo(response, maxBytes)).toString('utf8') }
}

async function open(address: string, options: RequestOptions) {
  const send = address.startsWith('https:') ? (await import('node:https')).request : request
  return send(address, options)
}

/** The whole body. @throws EndlessAnswerError beyond `maxBytes`, having closed the connection. */
export async function readUpTo(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new EndlessAnswerError(`An answer has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
