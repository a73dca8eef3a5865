/** Writes what programs of deployments print to the log, in batches. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../stores/db/database.ts'
import { type WrittenLine, writeLines } from './write-lines.ts'

/** The level of a line of a build or of a server. */
export type LineLevel = WrittenLine['level']

export type LogLine = { timeMs: number; level: LineLevel; text: string }

/** A program that prints; `fields` are those of each of its lines, by default none. */
export type LogSource = {
  teamId: string
  projectId: string
  deploymentId: string
  fields?: Record<string, unknown>
}

/**
 * `add` only queues the line, if there is room for it, and tells whether there was; of builds the caller
 * limits how many. `close` resolves when all are written, or rejects if they can't be.
 */
export type LogWriter = { add(source: LogSource, line: LogLine): boolean; close(): Promise<void> }

type Options = {
  db: Database
  kind: 'build' | 'runtime'
  /** The room for lines of one source that wait to be written, in UTF-16 units; by default no limit. */
  maxWaiting?: number
  nowMs: () => number
  onError: (error: unknown) => void
}

/** The delay of a batch, short enough for followers. */
const gatherMs = 200

/** The wait after a failed write. */
const retryMs = 2_000

/**
 * The size limit of one statement, which one line may exceed: the embedded database, in whose thread all
 * others wait, takes some milliseconds for so much.
 */
const maxLines = 50
const maxUnits = 32 * 1024

/**
 * Lines get no earlier time than this, since followers of the log see lines that are a second old: one with
 * an older time would be missed.
 */
const freshMs = 600

type Waiting = LogLine & { source: LogSource }

/** A writer for lines of one kind. Failed writes are retried, by `close` for the last time. */
export function createLogWriter(options: Options): LogWriter {
  const { db, kind, maxWaiting = Number.POSITIVE_INFINITY, nowMs, onError } = options
  const waiting: Waiting[] = []
  /** How much of each source waits, in UTF-16 units. */
  const units = new Map<LogSource, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false

  /** Counts a line of the source in, or out. */
  function count(source: LogSource, change: number): void {
    const left = (units.get(source) ?? 0) + change
    if (left > 0) units.set(source, left)
    else units.delete(source)
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const lines = beginningOf(waiting)
      const begunMs = performance.now()
      const earliestMs = nowMs() - freshMs
      await writeLines(
        db,
        kind,
        lines.map((line) => toWritten(line, earliestMs)),
      )
      waiting.splice(0, lines.length)
      for (const line of lines) count(line.source, -sizeOf(line))
      // The embedded database responds synchronously: others have as long as this took, unless it is awaited.
      await (isClosed ? nextTurn() : wait(performance.now() - begunMs))
    }
  }

  function schedule(pauseMs = gatherMs): void {
    if (timer || writing || isClosed || waiting.length === 0) return
    timer = setTimeout(write, pauseMs)
  }

  function write(): void {
    timer = undefined
    let pauseMs = gatherMs
    writing = writeAll()
      .catch((error: unknown) => {
        pauseMs = retryMs
        onError(error)
      })
      .finally(() => {
        writing = undefined
        schedule(pauseMs)
      })
  }

  return {
    add(source, line) {
      const size = sizeOf(line)
      if ((units.get(source) ?? 0) + size > maxWaiting) return false
      count(source, size)
      waiting.push({ ...line, source })
      schedule()
      return true
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
      await writeAll()
    },
  }
}

/** The room that a line takes while it waits, in UTF-16 units. */
function sizeOf({ text }: LogLine): number {
  return text.length + 100
}

function beginningOf(lines: Waiting[]): Waiting[] {
  let units = 0
  const end = lines.findIndex(({ text }, index) => {
    const isFull = index === maxLines || units > maxUnits
    units += text.length
    return isFull
  })
  return end === -1 ? lines.slice() : lines.slice(0, end)
}

function toWritten({ source, timeMs, level, text }: Waiting, earliestMs: number): WrittenLine {
  const { fields = {}, ...ids } = source
  return { ...ids, fields, level, message: text, timeMs: Math.max(timeMs, earliestMs) }
}
