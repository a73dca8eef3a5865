/** Reads what was sent into a request that can be answered, or the status it is refused with. */
import type { IncomingMessage } from 'node:http'
import { type RequestHead, readHead } from './request-head.ts'
import type { ReadLabel } from './site-label.ts'
import { parseTarget, type Target } from './target.ts'

export type SiteRequest = { method: 'GET' | 'HEAD'; label: string; target: Target; head: RequestHead }

type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>

/** Everything that can be said about a request without knowing any site. */
export function readRequest(
  { method, url, rawHeaders }: Incoming,
  readLabel: ReadLabel,
): SiteRequest | 400 | 404 | 405 | 431 {
  const head = readHead(rawHeaders)
  if (typeof head === 'number') return head
  const label = readLabel(head.host ?? '')
  const target = parseTarget(url ?? '')
  if (label === 400 || target === undefined) return 400
  if (method !== 'GET' && method !== 'HEAD') return 405
  return label === 404 ? 404 : { method, label, target, head }
}
