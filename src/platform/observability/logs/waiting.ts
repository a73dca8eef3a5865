/** Limits how many calls of a team wait for lines on this node. */
import { AppError } from '../../../lib/errors.ts'

const maxWaiting = 20

/** When a rejected call may be retried. */
const retryAfterMs = 5_000

const waiting = new Map<string, number>()

/** Does `work`, unless 20 calls of the team are waiting already. @throws AppError `too_many_waiting`. */
export async function whileWaiting<T>(teamId: string, work: () => Promise<T>): Promise<T> {
  const others = waiting.get(teamId) ?? 0
  if (others >= maxWaiting) {
    const message =
      `At most ${maxWaiting} calls of a team may wait for logs at a time. ` +
      'Leave wait_s out, or try again later.'
    throw new AppError('too_many_waiting', message, { retryAfterMs })
  }
  waiting.set(teamId, others + 1)
  try {
    return await work()
  } finally {
    const left = (waiting.get(teamId) ?? 1) - 1
    if (left === 0) waiting.delete(teamId)
    else waiting.set(teamId, left)
  }
}

/** How many calls of the team are waiting. */
export function countWaiting(teamId: string): number {
  return waiting.get(teamId) ?? 0
}

/** The poll interval of a call, and of all calls of a team together, which makes each slower. */
const pollMs = 300
const togetherMs = 60

/** The poll interval with this many waiting calls; randomized, so that they don't coincide. */
export function pauseMs(waiting: number, drawn = Math.random()): number {
  return Math.max(pollMs, togetherMs * waiting * (0.5 + drawn))
}
