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

/** Whether a proxy says that it got no answer from the API (RFC 9110, section 15.6). */
export function isOfGateway(status: number): boolean {
  return status === 502 || status === 504
}

/** Whether a status means that the same request may succeed later. */
export function isBusyStatus(status: number): boolean {
  return status === 429 || status === 503 || isOfGateway(status)
}

/** A response with such a status that isn't JSON, as proxies send them. */
export class BusyResponse extends Error {
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(head: ResponseHead) {
    super(`The server is unavailable (status ${head.status}).`)
    this.status = head.status
    this.retryAfterMs = retryAfterMs(head, Date.now())
  }
}

/** Whether a response is one of these. */
export function isBusy({ status, headers }: ResponseHead): boolean {
  return isBusyStatus(status) && !headers.get('content-type')?.startsWith('application/json')
}

/** A response of any other status that isn't JSON: something else answers at the API's address. */
export class ForeignResponse extends Error {
  readonly status: number

  constructor({ status }: ResponseHead) {
    super(`The server answered ${status} with a page that is no svc API's: is something in front of it?`)
    this.status = status
  }
}

/** The error and its causes. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
