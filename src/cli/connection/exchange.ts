/** One HTTP request over `node:http`, which loads in a third of the time of `fetch`. */
import { once } from 'node:events'
import { IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

type Request = { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal }

export type TextResponse = { status: number; headers: IncomingMessage['headers']; text: string }

/** Sends the request and resolves to the whole answer, whatever its status. @throws when there is none. */
export async function exchange(
  address: string,
  { method, headers, body, signal }: Request,
): Promise<TextResponse> {
  const send = address.startsWith('https:') ? (await import('node:https')).request : request
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const sent = send(address, { method, headers: { ...headers, ...length }, signal }).end(body)
  // Later errors surface while the body is read.
  sent.on('error', () => {})
  const [response] = await once(sent, 'response')
  if (!(response instanceof IncomingMessage)) throw new TypeError('not a response')
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}
