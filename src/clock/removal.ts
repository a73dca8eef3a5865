/** Decides whether the clock may be believed by what removes things for their age. */
import type { Database } from '../db/open.ts'
import type { Logger } from '../log/logger.ts'
import { moveMark, readMark } from './mark.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** What removes something for its age gets the time here, and so nothing while the clock has jumped. */
export type RemovalClock = {
  /** The time by which things may be removed; undefined while nothing may. */
  ask(): Promise<number | undefined>
  /** The same from the database, whatever is known here. */
  look(): Promise<number | undefined>
  /** By how much the clock was ahead of what had been seen when it was last asked; 0 unless that is a jump. */
  jumpMs(): number
}

type Deps = { db: Database; nowMs: () => number; jumpDays: number; log: Logger }

/**
 * A clock for removals. It compares the time with the latest that the installation has seen; more than `jumpDays` ahead
 * of that is a jump, for which somebody has to answer: nothing but `setMark` moves what was seen over it. A clock that
 * went back lets things become older only later.
 */
export function createRemovalClock({ db, nowMs, jumpDays, log }: Deps): RemovalClock {
  const mostMs = jumpDays * dayMs
  let seenMs: number | undefined
  let jumpMs = 0

  function note(aheadMs: number, now: number): void {
    const isJump = aheadMs > mostMs
    if (isJump && jumpMs === 0) log.warn({ time_ms: now, seen_ms: seenMs }, jumped(aheadMs))
    if (!isJump && jumpMs > 0) log.info('The clock is believed again: what is past its time is removed.')
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
      // The mark itself can't be further back than what is known of it, unless somebody has set it.
      return jumpMs === 0 && seenMs !== undefined && now - seenMs < minuteMs ? now : look()
    },
    look,
    jumpMs: () => jumpMs,
  }
}

function jumped(aheadMs: number): string {
  const days = Math.floor(aheadMs / dayMs)
  return `The clock is ${days} days ahead of when this installation last ran. Nothing is removed for its age until the clock is set right, or somebody says that it is right: svc admin clock accept.`
}

/** The work of a recurring task, which isn't done while the clock has jumped. */
export function whileBelieved<A extends unknown[]>(
  removal: Pick<RemovalClock, 'ask'>,
  work: (...given: A) => Promise<boolean>,
): (...given: A) => Promise<boolean> {
  return async (...given) => (await removal.ask()) !== undefined && work(...given)
}
