/** Whether a failed call may be tried again, as its error says. */
import type { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../routers/index.ts'
import {
  BusyResponse,
  causesOf,
  isBusyStatus,
  isOfGateway,
  isResponseHead,
  retryAfterMs,
} from './retry-after.ts'

/** Why a call waits before it is made again. */
export type WaitReason =
  | 'too many requests'
  | 'the server is unavailable'
  | 'the disk of the server is full'
  | 'the connection was lost'

export type Refusal = {
  why: WaitReason
  /** Whether the call certainly had no effect. */
  isWithoutEffect: boolean
  retryAfterMs: number | undefined
}

/** Another request with the same Idempotency-Key may still run; its response can be had later. */
const running = 'idempotency_in_progress'

/** Codes of a connection that broke, in Node and its `fetch`. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * How to go on after `error`; undefined where trying again is of no use. A connection that can't be made is
 * tried again only if the server `isKnown` to have responded before: it restarts.
 */
export function readRefusal(error: TRPCClientError<AppRouter>, isKnown: boolean): Refusal | undefined {
  const { data, meta } = error
  const response = isResponseHead(meta?.response) ? meta.response : undefined
  const fromHeader = response && retryAfterMs(response, Date.now())
  if (!data && response && isOfGateway(response.status)) return unavailable(fromHeader)
  if (!data) return withoutData(error, isKnown)
  const after = data.retry_after_ms ?? fromHeader
  if (data.reason === 'disk_full') return { ...unavailable(after), why: 'the disk of the server is full' }
  return data.reason === running ? unavailable(after) : ofStatus(data.httpStatus, after)
}

function withoutData(error: Error, isKnown: boolean): Refusal | undefined {
  const causes = causesOf(error)
  const busy = causes.find((cause) => cause instanceof BusyResponse)
  if (busy) return ofStatus(busy.status, busy.retryAfterMs)
  const codes = causes.flatMap((cause) => ('code' in cause ? [String(cause.code)] : []))
  const isLost = codes.some((code) => brokenCodes.has(code) || (isKnown && code === 'ECONNREFUSED'))
  if (!isLost) return undefined
  return { why: 'the connection was lost', isWithoutEffect: false, retryAfterMs: undefined }
}

function ofStatus(status: number, after: number | undefined): Refusal | undefined {
  // Refused before anything was done.
  if (status === 429) return { why: 'too many requests', isWithoutEffect: true, retryAfterMs: after }
  return isBusyStatus(status) ? unavailable(after) : undefined
}

function unavailable(after: number | undefined): Refusal {
  return { why: 'the server is unavailable', isWithoutEffect: false, retryAfterMs: after }
}
