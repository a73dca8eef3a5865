/** One attempt: a signed request, and what became of it. */
import { Agent, type Dispatcher, errors } from 'undici'
import { version } from '../../version.ts'
import { BlockedAddressError, createConnector, UnresolvedError } from '../guard/connector.ts'
import { createResolve, type Resolve, resolveLocally } from '../guard/resolve.ts'
import { urlProblem } from '../guard/url.ts'
import { sign } from '../secret.ts'

/** For everything: the name, the connection, the answer. */
const timeLimitMs = 15_000

/** Nobody reads the answer; one that doesn't end is a failure. */
const maxAnswerBytes = 256 * 1024

const maxHeaderBytes = 16 * 1024

/** Shorter than common servers keep a connection, so that it isn't them who close it under a request. */
const keepAliveMs = 4_000

/** What came back: a status, or why there is none. `retryAfter` is the header. */
export type Answer = { status: number; retryAfter: string | undefined } | { failure: string }

type Message = { url: string; secret: string; id: string; body: string; sentMs: number }

export type Sender = {
  /** Sends one message; undefined where it was broken off, a moment after `stopping` aborted. */
  send(message: Message, stopping: AbortSignal): Promise<Answer | undefined>
  close(): Promise<void>
}

type Options = {
  allowPrivate: boolean
  /** Asked for addresses; without them the system's resolvers. */
  resolvers: string[] | undefined
  /** Asked instead of these. */
  resolve?: Resolve
  /** Certificates to trust instead of the usual ones. */
  ca?: string
  limitMs?: number
  stopGraceMs?: number
}

/** Connections are kept for a moment, each to an address that was checked when it was made. No proxy is used. */
export function createSender({
  allowPrivate,
  resolvers,
  resolve = allowPrivate ? resolveLocally : createResolve(resolvers),
  ca,
  limitMs = timeLimitMs,
  stopGraceMs = 2_000,
}: Options): Sender {
  const agent = new Agent({
    connect: createConnector({ resolve, allowPrivate, timeoutMs: limitMs, ca }),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
    maxHeaderSize: maxHeaderBytes,
    maxResponseSize: maxAnswerBytes,
  })
  return {
    async send(message, stopping) {
      // The settings may have been others when the webhook was made.
      const problem = urlProblem(message.url, allowPrivate)
      if (problem) return { failure: `The URL ${problem}.` }
      const over = new AbortController()
      const abort = () => over.abort()
      const timer = setTimeout(abort, limitMs)
      let grace: NodeJS.Timeout | undefined
      const stop = () => {
        grace = setTimeout(abort, stopGraceMs)
      }
      if (stopping.aborted) stop()
      else stopping.addEventListener('abort', stop)
      try {
        return await request(agent, message, over.signal)
      } catch (error) {
        if (!over.signal.aborted) return { failure: describe(error) }
        return stopping.aborted ? undefined : { failure: tookTooLong }
      } finally {
        clearTimeout(timer)
        clearTimeout(grace)
        stopping.removeEventListener('abort', stop)
      }
    },
    close: () => agent.destroy(),
  }
}

async function request(
  agent: Dispatcher,
  { url, secret, id, body, sentMs }: Message,
  signal: AbortSignal,
): Promise<Answer> {
  const { origin, pathname, search } = new URL(url)
  const timestamp = Math.floor(sentMs / 1_000)
  const answer = await agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `svc/${version}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secret, id, timestamp, body),
    },
    body,
    signal,
  })
  const { 'retry-after': retryAfter } = answer.headers
  // To its end, so that the connection can be used again, or as far as an answer may go.
  await new Promise((resolve, reject) => {
    answer.body.on('error', reject).on('end', resolve).resume()
  })
  return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
}

const tookTooLong = 'It took too long.'

/** Errors of TLS and its certificates, by their codes. */
const ofTls = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$)/

/** What the team is told: why it failed, and nothing of this network. */
function describe(error: unknown): string {
  if (error instanceof BlockedAddressError) return 'It does not lead to a public address.'
  if (error instanceof UnresolvedError) return 'Its name has no address.'
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'The answer is too long.'
  if (error instanceof errors.ConnectTimeoutError) return tookTooLong
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (ofTls.test(code)) return `The certificate or TLS was refused (${code}).`
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (error instanceof errors.HTTPParserError) return 'The answer is not HTTP.'
  return 'The connection failed.'
}
