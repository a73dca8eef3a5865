/**
 * The log of requests: lines for sampled ones, and summaries of the rest, so that both add up to all
 * requests. They are written in batches.
 */

import type { Logger } from '../../../lib/log/logger.ts'
import type { Database } from '../../../stores/db/database.ts'
import { writeLines } from '../../deployments/log/write-lines.ts'
import type { EdgeObserver } from '../observers.ts'
import { createLeftOut, type LeftOutCount, maxTaken } from './left-out.ts'
import { keepable, type LoggedRequest, leftOutLines, requestLine } from './line.ts'
import { createSample, partOf } from './sample.ts'

export type RequestLog = {
  /** Notes an answered request; takes no time worth speaking of, and writes nothing. */
  observe: EdgeObserver
  /** Writes what has been noted. What can't be written is kept for the next time; never rejects. */
  flush(): Promise<void>
  /** Writes everything, including unfinished summaries, for the last time. */
  close(): Promise<void>
}

/** The limit of one project on this node; the reserve is for responses of 500 and above. */
const ofProject = { perSecond: 20, burst: 40, reserved: 10 }

/**
 * The limit of all projects, so that writing costs the embedded database no more than a few per cent of its
 * time.
 */
const ofAll = { perSecond: 500, burst: 1_000, reserved: 100 }

/** While the database is unavailable, only the newest are kept; the others are counted. */
const maxWaiting = 2_000

/** The most lines of one statement, so that it stays short. */
const maxLines = 500

/** How long requests are counted before their summary is written. */
const countedMs = 1_000

/**
 * Lines get no earlier time than this, since followers of the log see lines that are a second old: one with
 * an older time would be missed.
 */
const freshMs = 600

type Deps = {
  db: Database
  log: Logger
  nowMs: () => number
  /** This process's part of the limits of its node. */
  share?: number | undefined
}

/** A log into `db`; call `flush` about twice a second, and `close` before the database closes. */
export function createRequestLog({ db, log, nowMs, share = 1 }: Deps): RequestLog {
  const sample = createSample(partOf(ofProject, share), partOf(ofAll, share))
  const leftOut = createLeftOut()
  let waiting: LoggedRequest[] = []
  let isAway = false

  /** Makes room in steps, not for each request. */
  function dropOldest(): void {
    for (const request of waiting.splice(0, waiting.length - maxWaiting + maxLines)) leftOut.add(request)
  }

  /** Resolves to whether it could be written. */
  async function write(requests: LoggedRequest[], counts: LeftOutCount[]): Promise<boolean> {
    const timeMs = nowMs()
    const lines = requests.map((request) => requestLine(request, timeMs - freshMs))
    try {
      await writeLines(db, 'request', [...lines, ...counts.flatMap((count) => leftOutLines(count, timeMs))])
    } catch (error) {
      waiting = [...requests, ...waiting]
      leftOut.putBack(counts)
      if (waiting.length > maxWaiting) dropOldest()
      if (!isAway) log.error({ err: error }, 'Requests could not be logged; trying again.')
      isAway = true
      return false
    }
    if (isAway) log.info('Requests are logged again.')
    isAway = false
    return true
  }

  /** Resolves to whether all that there was at the start was written. */
  async function writeAll(untilMs: number): Promise<boolean> {
    for (;;) {
      const counts = leftOut.take(untilMs)
      const requests = waiting.splice(0, maxLines)
      if (requests.length + counts.length === 0) return true
      if (!(await write(requests, counts))) return false
      // The few that came meanwhile are worth no statement of their own.
      if (requests.length < maxLines && counts.length < maxTaken) return true
    }
  }

  function warnOfUncounted(): void {
    const requests = leftOut.takeUncounted()
    if (requests > 0)
      log.warn({ requests }, 'Requests of too many deployments at once were left out of the log.')
  }

  return {
    observe(answered, request) {
      const { projectId, endedMs, status } = answered
      if (!sample.takes(projectId, endedMs, status >= 500)) {
        leftOut.add(answered)
        return
      }
      waiting.push(keepable(answered, request()))
      if (waiting.length > maxWaiting) dropOldest()
    },
    async flush() {
      const timeMs = nowMs()
      sample.forgetIdle(timeMs)
      await writeAll(timeMs - countedMs)
      warnOfUncounted()
    },
    async close() {
      const isWritten = await writeAll(Number.POSITIVE_INFINITY)
      if (!isWritten) log.warn({ lines: waiting.length }, 'The last requests are not in the log.')
      warnOfUncounted()
    },
  }
}
