/**
 * Delays the refusals of whoever goes on far beyond a limit, so that a flood of requests can't become one of
 * responses.
 */
import { createMemoryLimiter } from './memory-limiter.ts'
import type { Rate } from './rate.ts'

export type LateRefusals = {
  /**
   * Calls `refuse` for the bucket `id`: at once while it has been refused no more often than it may request,
   * else within a second. Returns false, and never calls it, when too many are being held: the connection is
   * to be closed.
   */
  hold(id: string, refuse: () => void): boolean
}

/** One timer for all: each turn releases what was held this many turns ago. */
const turnMs = 50
const turns = 20

/**
 * As many as an address may have connections to the edge by default: with one request each, it gets that many
 * a second.
 */
const maxPerBucket = 256
const maxHeld = 4_096

type Options = {
  /** A monotonic clock in milliseconds. */
  now?: () => number
  /** The part of what a node may hold that this process may hold. */
  share?: number
}

type Held = { id: string; refuse: () => void }

/** `rate` is that of the requests. */
export function createLateRefusals(
  rate: Rate,
  { now = () => performance.now(), share = 1 }: Options = {},
): LateRefusals {
  const prompt = createMemoryLimiter(rate, now)
  const counts = new Map<string, number>()
  const slots: Held[][] = Array.from({ length: turns }, () => [])
  let turn = 0
  let held = 0
  let timer: NodeJS.Timeout | undefined

  function release(): void {
    turn = (turn + 1) % turns
    const due = slots[turn]?.splice(0) ?? []
    held -= due.length
    if (held === 0) {
      clearInterval(timer)
      timer = undefined
    }
    for (const { id, refuse } of due) {
      const left = (counts.get(id) ?? 1) - 1
      if (left === 0) counts.delete(id)
      else counts.set(id, left)
      refuse()
    }
  }

  return {
    hold(id, refuse) {
      if (prompt.draw(id, 1).allowed) {
        refuse()
        return true
      }
      const count = counts.get(id) ?? 0
      if (count >= maxPerBucket * share || held >= maxHeld * share) return false
      counts.set(id, count + 1)
      held += 1
      slots[turn]?.push({ id, refuse })
      timer ??= setInterval(release, turnMs).unref()
      return true
    },
  }
}
