/** Writes what a build prints to the log, many lines at a time. */
import { sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { logLines } from '../db/schema/logs.ts'

export type LogLine = { timeMs: number; level: 'info' | 'error'; text: string }

/** `add` only keeps the line; how many there can be is for who adds them to limit. `close` resolves when all are written. */
export type LogWriter = { add(line: LogLine): void; close(): Promise<void> }

type Owner = { teamId: string; projectId: string; deploymentId: string }

type Options = { db: Database; onError: (error: unknown) => void }

/** For so long lines are gathered, so that who follows a log sees them soon. */
const gatherMs = 200

/** How long to wait where they could not be written. */
const retryMs = 2_000

/** One statement takes no more, so that it stays short. */
const maxLines = 500

/** A writer for the log of one build. Lines that can't be written are tried again, by `close` for the last time. */
export function createLogWriter({ db, onError }: Options, owner: Owner): LogWriter {
  let waiting: LogLine[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.slice(0, maxLines)
      await insertLines(db, owner, lines)
      waiting = waiting.slice(lines.length)
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

async function insertLines(db: Database, owner: Owner, lines: LogLine[]): Promise<void> {
  const rows = lines.map(({ timeMs, level, text }) => ({ time_ms: timeMs, level, message: text }))
  await db.execute(sql`
    insert into ${logLines} (team_id, kind, level, project_id, deployment_id, message, fields, time_ms)
    select ${owner.teamId}, 'build', line ->> 'level', ${owner.projectId}, ${owner.deploymentId},
      line ->> 'message', '{}'::jsonb, (line ->> 'time_ms')::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as lines (line, place) order by place`)
}
