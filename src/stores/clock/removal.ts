/** Decides whether the clock can be trusted for deletions by age. */

import type { Logger } from '../../lib/log/logger.ts'
import type { Database } from '../db/database.ts'
import { moveMark, readMark } from './mark.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Tasks that delete by age get the time here, and none after a clock jump. */
export type RemovalClock = {
  /** The time for deletions; undefined while nothing may be deleted. */
  ask(): Promise<number | undefined>
  /** The same, from the database, bypassing the cache. */
  look(): Promise<number | undefined>
  /** By how much the clock was ahead of the mark at the last check; 0 unless that is a jump. */
  jumpMs(): number
}

type Deps = { db: Database; nowMs: () => number; jumpDays: number; log: Logger }

/**
 * A clock for deletions. It compares the time with the latest seen by the installation; more than `jumpDays`
 * ahead is a jump, which an operator has to confirm: only `setMark` moves the mark across it. If the clock
 * goes back, things expire later.
 */
export function createRemovalClock({ db, nowMs, jumpDays, log }: Deps): RemovalClock {
  const mostMs = jumpDays * dayMs
  let seenMs: number | undefined
  let jumpMs = 0

  function note(aheadMs: number, now: number): void {
    const isJump = aheadMs > mostMs
    if (isJump && jumpMs === 0) log.warn({ time_ms: now, seen_ms: seenMs }, jumped(aheadMs))
    if (!isJump && jumpMs > 0) log.info('The clock is trusted again: data expires.')
    jumpMs = isJump ? aheadMs : 0
  }

  async function look(): Promise<number | undefined> {
    const now = nowMs()
    seenMs = await readMark(db, now)
    const aheadMs = now - seenMs
    note(aheadMs, now)
    if (jumpMs > 0) return undefined
    if (aheadMs >= minuteMs) {
      await moveMark(db, now, mostMs)
      seenMs = now
    }
    return now
  }

  return {
    async ask() {
      const now = nowMs()
      // The stored mark can't be behind the known one, unless an operator has set it.
      return jumpMs === 0 && seenMs !== undefined && now - seenMs < minuteMs ? now : look()
    },
    look,
    jumpMs: () => jumpMs,
  }
}

function jumped(aheadMs: number): string {
  const days = Math.floor(aheadMs / dayMs)
  return (
    `The clock is ${days} days ahead of when this installation last ran. ` +
    'Nothing expires until the clock is corrected, or accepted with: svc admin clock accept.'
  )
}

/** Wraps a recurring task, which is skipped after a clock jump. */
export function whileBelieved<A extends unknown[]>(
  removal: Pick<RemovalClock, 'ask'>,
  work: (...given: A) => Promise<boolean>,
): (...given: A) => Promise<boolean> {
  return async (...given) => (await removal.ask()) !== undefined && work(...given)
}
