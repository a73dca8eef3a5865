/** Lines of servers in the log: those that they print, and those that the platform says about them. */
import type { Logger } from '../../lib/log/logger.ts'
import type { Database } from '../../stores/db/database.ts'
import { createLogWriter, type LineLevel, type LogSource } from '../deployments/log/log-writer.ts'
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import type { ServerKey } from './server-status.ts'

/** A line that a server has printed, without the values of its variables. */
type PrintedLine = { stream: 'stdout' | 'stderr'; text: string }

/** The log of one server. What is too much is dropped and counted; a line each second says how much. */
export type ServerLog = {
  print(line: PrintedLine): void
  /** Counts lines that it has printed, of which nothing is known. */
  drop(lines: number): void
  /** Adds a line of the platform's own, which has a limit of its own. */
  say(level: LineLevel, text: string): void
  /** Adds the count of what was dropped last: nothing more comes. */
  end(): void
}

export type ServerLogs = {
  of(server: ServerKey & { teamId: string; projectId: string }): ServerLog
  /** Writes what waits, for the last time; never rejects. */
  close(): Promise<void>
}

/** The limit of what a server prints. */
const printedRate = { perSecond: 100, burst: 1_000 }

/** The limit of what the platform says about a server, which may be as often as visitors make it happen. */
const saidRate = { perSecond: 10, burst: 100 }

/** How long dropped lines are counted before a line says how many. */
const countedMs = 1_000

/** The room for the lines of a server while the database is away, in UTF-16 units. */
const maxWaiting = 1024 * 1024

type Deps = {
  db: Database
  log: Logger
  nowMs: () => number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** The line that counts lines that were dropped. */
export const droppedText = (lines: number) => `dropped ${lines} ${lines === 1 ? 'line' : 'lines'}`

/** The logs of the servers of one process of a node. */
export function createServerLogs({ db, log, nowMs, now = () => performance.now() }: Deps): ServerLogs {
  const onError = (err: unknown) => log.warn({ err }, 'Lines of servers could not be written; retrying.')
  const writer = createLogWriter({ db, kind: 'runtime', maxWaiting, nowMs, onError })
  const printed = createMemoryLimiter(printedRate, now)
  const said = createMemoryLimiter(saidRate, now)
  const open = new Set<ServerLog>()

  function openLog(id: string, source: LogSource): ServerLog {
    let dropped = 0
    let timer: NodeJS.Timeout | undefined

    const write = (level: LineLevel, text: string) => writer.add(source, { timeMs: nowMs(), level, text })

    function drop(lines = 1): void {
      dropped += lines
      timer ??= setTimeout(tell, countedMs)
    }

    function tell(): void {
      timer = undefined
      if (write('warn', droppedText(dropped))) dropped = 0
      else timer = setTimeout(tell, countedMs)
    }

    const server: ServerLog = {
      drop,
      print({ stream, text }) {
        const level = stream === 'stdout' ? 'info' : 'warn'
        if (!printed.draw(id, 1).allowed || !write(level, text)) drop()
      },
      say(level, text) {
        if (!said.draw(id, 1).allowed || !write(level, text)) drop()
      },
      end() {
        clearTimeout(timer)
        if (dropped > 0) tell()
        clearTimeout(timer)
        open.delete(server)
      },
    }
    open.add(server)
    return server
  }

  return {
    of: ({ teamId, projectId, deploymentId, target }) =>
      openLog(`${deploymentId} ${target}`, { teamId, projectId, deploymentId, fields: { target } }),
    async close() {
      for (const server of open) server.end()
      await writer
        .close()
        .catch((err: unknown) => log.warn({ err }, 'The last lines of servers are not in the log.'))
    },
  }
}
