/** The consequence of an attempt: delivered, tried again later, or given up. */
import { readRetryAfter } from '../../../lib/net/retry-after.ts'
import type { PostResult } from './attempt.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The pause after each failed attempt. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** Jitter: the fraction by which a pause may be longer. */
const jitter = 0.1

/** The longest `Retry-After` that is honored. */
const maxAskedMs = 24 * hourMs

export type Outcome = {
  status: 'pending' | 'delivered' | 'failed'
  /** The time of the next attempt, if it is pending. */
  dueMs: number
  httpStatus: number | null
  error: string | null
  /** Whether the receiver responded 410 Gone. */
  isGone: boolean
}

/** The outcome of the attempt that is the `attempts`th, answered at `nowMs`. */
export function outcomeOf(answer: PostResult, attempts: number, nowMs: number): Outcome {
  const httpStatus = 'status' in answer ? answer.status : null
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
    return { status: 'delivered', dueMs: nowMs, httpStatus, error: null, isGone: false }
  }
  const isGone = httpStatus === 410
  const pauseMs = isGone ? undefined : pausesMs[attempts - 1]
  const askedMs = 'status' in answer ? (readRetryAfter(answer.retryAfter, nowMs) ?? 0) : 0
  return {
    status: pauseMs === undefined ? 'failed' : 'pending',
    dueMs:
      nowMs +
      Math.round(Math.max((pauseMs ?? 0) * (1 + Math.random() * jitter), Math.min(askedMs, maxAskedMs))),
    httpStatus,
    error: 'failure' in answer ? answer.failure : describeStatus(answer.status),
    isGone,
  }
}

function describeStatus(status: number): string {
  if (status === 410) return 'Status 410: the receiver is gone.'
  if (status >= 300 && status < 400) return `Status ${status}: redirects are not followed.`
  return `Status ${status}.`
}
