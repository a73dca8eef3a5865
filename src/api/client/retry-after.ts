/** Reads Retry-After, also of responses that something in front of the API sends. */

import { readRetryAfter } from '../../lib/net/retry-after.ts'

/** The part of a response that says whether to try again. */
export type ResponseHead = { status: number; headers: { get(name: string): string | null } }

/** Whether a value has that part: `fetch` may be the caller's own, with less. */
export function isResponseHead(value: unknown): value is ResponseHead {
  if (typeof value !== 'object' || value === null || !('status' in value) || !('headers' in value))
    return false
  const { headers } = value
  return typeof headers === 'object' && headers !== null && 'get' in headers
}

/** Milliseconds until then: seconds or a date (RFC 9110, section 10.2.3). Undefined without a valid one. */
export function retryAfterMs({ headers }: ResponseHead, nowMs: number): number | undefined {
  return readRetryAfter(headers.get('retry-after'), nowMs)
}

/** A 429 or 503 that isn't JSON, as proxies send them. */
export class BusyResponse extends Error {
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(head: ResponseHead) {
    super(`The server is unavailable (status ${head.status}).`)
    this.status = head.status
    this.retryAfterMs = retryAfterMs(head, Date.now())
  }
}

/** Whether a response is a 429 or 503 without JSON. */
export function isBusy({ status, headers }: ResponseHead): boolean {
  if (status !== 429 && status !== 503) return false
  return !headers.get('content-type')?.startsWith('application/json')
}
