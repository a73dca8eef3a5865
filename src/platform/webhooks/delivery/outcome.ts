/** The consequence of an attempt: delivered, tried again later, or given up. */
import { readRetryAfter } from '../../../lib/net/retry-after.ts'
import type { WebhookFormat } from '../../../stores/db/schema/webhooks.ts'
import { hasSecretAddress } from '../formats/format.ts'
import type { Mailed } from '../mails/send-mails.ts'
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
  /** Whether the receiver is gone, and wants no more. */
  isGone: boolean
  /** Whether the webhook works: this went to somebody, or what kept it back is no failure. */
  isTaken: boolean
  /** The ids of the users who have got the mail; null for requests. */
  sentTo: string[] | null
}

type Attempt = { format: WebhookFormat; attempts: number }

/** The outcome of the request that is the `attempts`th, answered at `nowMs`. */
export function outcomeOf(answer: PostResult, { format, attempts }: Attempt, nowMs: number): Outcome {
  const httpStatus = 'status' in answer ? answer.status : null
  const common = { httpStatus, sentTo: null }
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
    return { ...common, status: 'delivered', dueMs: nowMs, error: null, isGone: false, isTaken: true }
  }
  // Slack and Discord answer 404 for an address that was withdrawn.
  const isGone = httpStatus === 410 || (httpStatus === 404 && hasSecretAddress(format))
  const askedMs = 'status' in answer ? (readRetryAfter(answer.retryAfter, nowMs) ?? 0) : 0
  return {
    ...common,
    ...againOrNot(isGone ? undefined : pausesMs[attempts - 1], askedMs, nowMs),
    error: 'failure' in answer ? answer.failure : describeStatus(answer.status, isGone),
    isGone,
    isTaken: false,
  }
}

/** The outcome of mails that are the `attempts`th of a delivery, at `nowMs`. */
export function outcomeOfMails(
  { sentTo, refused, leftOut, failure }: Mailed,
  attempts: number,
  nowMs: number,
): Outcome {
  const common = { httpStatus: null, isGone: false, sentTo }
  const isSent = sentTo.length > 0
  if (failure !== null) {
    const again = againOrNot(pausesMs[attempts - 1], 0, nowMs)
    return { ...common, ...again, error: failure, isTaken: isSent }
  }
  const isMissed = !isSent && refused + leftOut > 0
  const notes = [
    refused > 0 && `The mail server refused ${refused}.`,
    leftOut > 0 && `${leftOut} were left out: too many mails within an hour.`,
  ].filter(Boolean)
  return {
    ...common,
    status: isMissed ? 'failed' : 'delivered',
    dueMs: nowMs,
    error: notes.length === 0 ? null : notes.join(' '),
    isTaken: isSent || refused === 0,
  }
}

function againOrNot(
  pauseMs: number | undefined,
  askedMs: number,
  nowMs: number,
): Pick<Outcome, 'status' | 'dueMs'> {
  const longestMs = Math.max((pauseMs ?? 0) * (1 + Math.random() * jitter), Math.min(askedMs, maxAskedMs))
  return { status: pauseMs === undefined ? 'failed' : 'pending', dueMs: nowMs + Math.round(longestMs) }
}

function describeStatus(status: number, isGone: boolean): string {
  if (isGone) return `Status ${status}: the receiver is gone.`
  if (status >= 300 && status < 400) return `Status ${status}: redirects are not followed.`
  return `Status ${status}.`
}
