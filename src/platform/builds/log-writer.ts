/** Writes a build's output to the log, in batches. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { logLines } from '../../stores/db/schema/logs.ts'

/** The level of a line of a build. */
export type LineLevel = 'info' | 'warn' | 'error'

export type LogLine = { timeMs: number; level: LineLevel; text: string }

/** `add` only queues the line; the caller limits how many. `close` resolves when all are written. */
export type LogWriter = { add(line: LogLine): void; close(): Promise<void> }

type Owner = { teamId: string; projectId: string; deploymentId: string }

type Options = { db: Database; onError: (error: unknown) => void }

/** The delay of a batch, short enough for followers. */
const gatherMs = 200

/** The wait after a failed write. */
const retryMs = 2_000

/** The size limit of one statement, which one line may exceed, so that it stays short. */
const maxLines = 500
const maxUnits = 256 * 1024

/** A writer for the log of one build. Failed writes are retried, by `close` for the last time. */
export function createLogWriter({ db, onError }: Options, owner: Owner): LogWriter {
  const waiting: LogLine[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const lines = beginningOf(waiting)
      await insertLines(db, owner, lines)
      waiting.splice(0, lines.length)
      // The embedded database responds synchronously.
      await nextTurn()
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
    add(line) {
      waiting.push(line)
      schedule()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
      await writeAll()
    },
  }
}

function beginningOf(lines: LogLine[]): LogLine[] {
  let units = 0
  const end = lines.findIndex(({ text }, index) => {
    const isFull = index === maxLines || units > maxUnits
    units += text.length
    return isFull
  })
  return end === -1 ? lines.slice() : lines.slice(0, end)
}

async function insertLines(db: Database, owner: Owner, lines: LogLine[]): Promise<void> {
  const rows = lines.map(({ timeMs, level, text }) => ({ time_ms: timeMs, level, message: text }))
  await db.execute(sql`
    insert into ${logLines} (team_id, kind, level, project_id, deployment_id, message, fields, time_ms)
    select ${owner.teamId}, 'build', line ->> 'level', ${owner.projectId}, ${owner.deploymentId},
      line ->> 'message', '{}'::jsonb, (line ->> 'time_ms')::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as lines (line, place)
    order by place`)
}
