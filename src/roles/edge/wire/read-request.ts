/** Parses a request, or determines the status to refuse it with. */
import type { IncomingMessage } from 'node:http'
import { type RequestHead, readHead } from './request-head.ts'
import type { ReadHost } from './site-host.ts'
import { parseTarget, type Target } from './target.ts'

type Request<M> = { method: M; host: string; target: Target; head: RequestHead }

/** A GET or HEAD request. */
export type SiteRequest = Request<'GET' | 'HEAD'>

/** Another method: a preflight, or one that only a redirecting domain answers. */
export type OtherRequest = Request<'OPTIONS' | 'other'>

export type ReadRequest = SiteRequest | OtherRequest

type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'httpVersion'>

/** The part of a request's handling that needs no site. */
export function readRequest(
  { method, url, rawHeaders, httpVersion }: Incoming,
  readHost: ReadHost,
): ReadRequest | 400 | 404 | 405 | 431 {
  const head = readHead(rawHeaders, httpVersion)
  if (typeof head === 'number') return head
  const host = readHost(head.host ?? '')
  const target = parseTarget(url ?? '')
  if (host === 400 || target === undefined) return 400
  const isRead = method === 'GET' || method === 'HEAD'
  if (host === 404) return isRead ? 404 : 405
  const isKnown = isRead || method === 'OPTIONS'
  return { method: isKnown ? method : 'other', host, target, head }
}
