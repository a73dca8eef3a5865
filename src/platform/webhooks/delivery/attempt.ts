/** One attempt: a request, signed where there is a secret, and its result. */
import { LRUCache } from 'lru-cache'
import { Agent } from 'undici'
import { createResolve, type Resolve, resolveLocally } from '../../../lib/net/resolve.ts'
import { version } from '../../../lib/version.ts'
import { createConnector } from '../guard/connector.ts'
import { describeFailure, TookTooLongError } from '../guard/request-failure.ts'
import { urlProblem } from '../guard/url.ts'
import { sign } from '../secret.ts'
import { type Post, type PostResponse, post } from './http-post.ts'

/** For everything: lookup, connection, response. */
const timeLimitMs = 15_000

/** Nobody reads the answer; one that doesn't end is a failure. */
const maxResponseBytes = 256 * 1024

const maxHeaderBytes = 16 * 1024

/** Shorter than the keep-alive of common servers, so that they don't close a connection under a request. */
const keepAliveMs = 4_000

/** The response to a delivery: a status, or the reason for having none. */
export type PostResult = PostResponse | { failure: string }

/** Without a secret, the address is one, and nothing is signed. */
type Message = { url: string; secret: string | null; id: string; body: string; sentMs: number }

export type Sender = {
  /** Sends one message; undefined where it was broken off, a moment after `stopping` aborted. */
  send(message: Message, stopping: AbortSignal): Promise<PostResult | undefined>
  close(): Promise<void>
}

type Options = {
  allowPrivate: boolean
  /** Resolvers; default: the system's. */
  resolvers: string[] | undefined
  /** Replaces the resolvers. */
  resolve?: Resolve
  /** Trusted certificates instead of the usual ones. */
  ca?: string
  limitMs?: number
  stopGraceMs?: number
}

/** How often timeouts are checked. */
const lookMs = 100

/** Parsed URLs of receivers. */
const maxDestinations = 1_000

type UnderWay = { post: Post; overMs: number; stopping: AbortSignal }

/**
 * Connections are kept for a moment, each to an address that was checked when it was opened. No proxy is
 * used.
 */
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
    // One interval for all of them is cheaper than a timer and a signal for each.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    maxResponseSize: maxResponseBytes,
  })
  const destinations = new LRUCache<string, Destination>({ max: maxDestinations })
  const underWay = new Set<UnderWay>()
  let stopMs: number | undefined

  function destinationOf(url: string): Destination {
    const known = destinations.get(url)
    if (known) return known
    const read = readDestination(url, allowPrivate)
    destinations.set(url, read)
    return read
  }

  const looking = setInterval(() => {
    const nowMs = performance.now()
    for (const { post, overMs, stopping } of underWay) {
      if (stopping.aborted) stopMs ??= nowMs + stopGraceMs
      if (stopMs !== undefined && stopping.aborted && nowMs >= stopMs) post.abort(new BrokenOffError())
      else if (nowMs >= overMs) post.abort(new TookTooLongError())
    }
  }, lookMs)
  looking.unref()

  return {
    async send(message, stopping) {
      const destination = destinationOf(message.url)
      // Settings may have changed since the webhook was created.
      if ('problem' in destination) return { failure: `The URL ${destination.problem}.` }
      const sent = post(agent, toPost(destination, message))
      const entry = { post: sent, overMs: performance.now() + limitMs, stopping }
      underWay.add(entry)
      try {
        return await sent.answer
      } catch (error) {
        return error instanceof BrokenOffError ? undefined : { failure: describeFailure(error) }
      } finally {
        underWay.delete(entry)
      }
    },
    async close() {
      clearInterval(looking)
      await agent.destroy()
    },
  }
}

/** The node stopped before the response came. */
class BrokenOffError extends Error {}

type Destination = { origin: string; path: string } | { problem: string }

function readDestination(url: string, allowPrivate: boolean): Destination {
  const problem = urlProblem(url, allowPrivate)
  if (problem) return { problem }
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

function toPost({ origin, path }: { origin: string; path: string }, { secret, id, body, sentMs }: Message) {
  const headers = { 'content-type': 'application/json', 'user-agent': `svc/${version}` }
  if (secret === null) return { origin, path, headers, body }
  const timestamp = Math.floor(sentMs / 1_000)
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, id, timestamp, body),
  }
  return { origin, path, headers: { ...headers, ...signed }, body }
}
