/** Counts this node's responses by project, team and minute, and writes the counts in batches. */
import { randomInt } from 'node:crypto'
import type { Logger } from '../../../lib/log/logger.ts'
import type { Database } from '../../../stores/db/database.ts'
import { createLatencies, formatLatencies, type Latencies, latencyKey } from './latencies.ts'
import { floorTo, latestMs, minuteMs } from './spans.ts'
import { type CountedMinute, type Statuses, writeMinutes } from './write.ts'

/** The counted facts of a response: status, bytes of the body, duration, and end. */
export type Countable = {
  teamId: string
  projectId: string
  status: number
  bytes: number
  durationMs: number
  endedMs: number
}

export type TrafficCounter = {
  /** Counts a response, in some hundred nanoseconds. */
  count(answer: Countable): void
  /** Writes the counts. On failure they are kept for the next time, in bounded memory. */
  flush(): Promise<void>
}

type Counter = {
  requests: number
  bytes: number
  errors: number
  statuses: Statuses
  latencies: Latencies
  isWritten: boolean
}

/**
 * The counts of a minute, by scope. Its writer is unique, also after a restart or when the clock was set back
 * to the same minute: so rows of one minute add up.
 */
type Minute = { startMs: number; writer: number; counters: Map<string, Counter> }

/** Some 100 MB at worst. */
const maxScopes = 25_000
const usualUnwritten = 100_000

const rowsPerStatement = 1_000

/** At most `maxUnwritten` rows, each a minute of a project or team, are kept while they can't be written. */
type Deps = { db: Database; nowMs: () => number; log: Logger; maxUnwritten?: number }

/** A counter; call `flush` about once a second, one call at a time, and before closing the database. */
export function createTrafficCounter({
  db,
  nowMs,
  log,
  maxUnwritten = usualUnwritten,
}: Deps): TrafficCounter {
  let minute = createMinute(0)
  /** By scope and writer; only the latest of each. */
  const unwritten = new Map<string, CountedMinute>()
  let lost = 0

  function add(scopeId: string, { status, bytes }: Countable, key: number): void {
    const known = minute.counters.get(scopeId)
    const counter = known ?? createCounter()
    if (!known) {
      if (minute.counters.size >= maxScopes) {
        lost += 1
        return
      }
      minute.counters.set(scopeId, counter)
    }
    counter.requests += 1
    counter.bytes += bytes
    if (status >= 500) counter.errors += 1
    else countStatus(counter.statuses, status)
    counter.latencies.add(key)
    counter.isWritten = false
  }

  /** Adds changed counts to those to be written. */
  function gather(): void {
    const { startMs, writer, counters } = minute
    for (const [scopeId, counter] of counters) {
      if (counter.isWritten) continue
      counter.isWritten = true
      const { requests, bytes, errors, statuses, latencies } = counter
      unwritten.set(`${scopeId} ${writer}`, {
        scopeId,
        startMs,
        writer,
        requests,
        bytes,
        errors,
        ...statuses,
        latencies: formatLatencies(latencies),
      })
    }
  }

  function forgetTooMuch(): void {
    const oldestMs = nowMs() - latestMs
    for (const [key, { startMs, requests }] of unwritten) {
      if (unwritten.size <= maxUnwritten && startMs >= oldestMs) break
      unwritten.delete(key)
      lost += requests
    }
  }

  return {
    count(answer) {
      const startMs = floorTo(minuteMs, answer.endedMs)
      if (startMs !== minute.startMs) {
        gather()
        minute = createMinute(startMs)
      }
      const key = latencyKey(answer.durationMs)
      add(answer.projectId, answer, key)
      add(answer.teamId, answer, key)
    },
    async flush() {
      gather()
      forgetTooMuch()
      if (lost > 0) log.warn({ requests: lost }, 'Traffic counts were dropped: too many or too late.')
      lost = 0
      const rows = [...unwritten]
      for (let at = 0; at < rows.length; at += rowsPerStatement) {
        const batch = rows.slice(at, at + rowsPerStatement)
        await writeMinutes(
          db,
          batch.map(([, row]) => row),
        )
        for (const [key, row] of batch) if (unwritten.get(key) === row) unwritten.delete(key)
      }
    },
  }
}

function createMinute(startMs: number): Minute {
  return { startMs, writer: randomInt(1, 2 ** 47), counters: new Map() }
}

function createCounter(): Counter {
  const statuses = { responses2xx: 0, responses3xx: 0, responses4xx: 0, responses404: 0 }
  return { requests: 0, bytes: 0, errors: 0, statuses, latencies: createLatencies(), isWritten: false }
}

/** Counts a status below 500. */
function countStatus(statuses: Statuses, status: number): void {
  if (status >= 400) {
    statuses.responses4xx += 1
    if (status === 404) statuses.responses404 += 1
  } else if (status >= 300) statuses.responses3xx += 1
  else if (status >= 200) statuses.responses2xx += 1
}
