/** Keeps the rows of a node's servers as they are: soon after each change, and before their lease ends. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from '../../lib/log/logger.ts'
import type { Database } from '../../stores/db/database.ts'
import { writeServerRows } from './server-rows.ts'
import type { ServerKey, ServerStatus } from './server-status.ts'

/** Changes that come together are written together. */
const gatherMs = 250

/** The least time from one statement to the next. */
const leastMs = 1_000

/** How often the rows are written without a change: their lease is three times as long. */
const regularlyMs = 10_000

export type ServerReport = {
  /** Something about a server may have changed. */
  changed(): void
  /** Ends it, and deletes the rows; never rejects. */
  close(): Promise<void>
}

type Deps = {
  db: Database
  log: Logger
  /** The name of the node, see `nodeName`. */
  node: string
  /** The servers that are there now. */
  list: () => readonly ServerStatus[] | Promise<readonly ServerStatus[]>
}

/** Reports the servers of a node until it is closed. A node without servers writes nothing. */
export function reportServers({ db, log, node, list }: Deps): ServerReport {
  let written: readonly ServerKey[] = []
  let isAway = false
  let isClosed = false
  let isChanged = false
  let writing: Promise<void> | undefined
  let soon: NodeJS.Timeout | undefined
  let lastMs = Number.NEGATIVE_INFINITY

  async function write(running: readonly ServerStatus[]): Promise<void> {
    const now = new Set(running.map(nameOf))
    const gone = written.filter((key) => !now.has(nameOf(key)))
    if (running.length + gone.length === 0) return
    // Before the statement: whether a failed one was done is unknown.
    written = [...running, ...gone]
    await writeServerRows(db, node, { running, gone })
    written = running
  }

  async function round(read: Deps['list']): Promise<void> {
    lastMs = performance.now()
    try {
      await write(await read())
      isAway = false
    } catch (err) {
      if (!isAway) log.warn({ err }, 'The state of servers could not be written; trying again.')
      isAway = true
    }
  }

  function begin(): void {
    clearTimeout(soon)
    soon = undefined
    if (writing || isClosed) return
    isChanged = false
    writing = round(list).finally(() => {
      writing = undefined
      if (isChanged) changed()
    })
  }

  function changed(): void {
    isChanged = true
    if (isClosed || writing) return
    const afterMs = Math.max(gatherMs, lastMs + leastMs - performance.now())
    soon ??= setTimeout(begin, afterMs)
  }

  const regularly = setInterval(begin, regularlyMs)
  return {
    changed,
    async close() {
      isClosed = true
      clearInterval(regularly)
      clearTimeout(soon)
      await writing
      await round(() => [])
    },
  }
}

function nameOf({ deploymentId, target }: ServerKey): string {
  return `${deploymentId} ${target}`
}

/**
 * The name of a node, as people see it: that of its machine, with a suffix that differs between two nodes of
 * one machine, which have data directories of their own.
 */
export function nodeName(dataDirectory: string): string {
  const suffix = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 4)
  return `${hostname()}-${suffix}`
}
