/** One process of a server, from its start to its end: who uses it, and how it is brought to its end. */
import { randomUUID } from 'node:crypto'
import { within } from '../../lib/async/within.ts'
import { createHeldSockets } from './held-sockets.ts'
import { isAnswering } from './is-answering.ts'
import type { DeployedServer } from './read-server.ts'
import type { Ending, ServerProcess } from './server-process.ts'
import type { ServerKey } from './server-status.ts'
import type { LeaseOutcome, ServerLease } from './servers.ts'

/** How long a server that is to end may go on with its requests, and then may take after SIGTERM. */
export type Graces = { requestsMs: number; stopMs: number }

/** So many requests in a row without an answer are reason to see whether it answers at all. */
const silentRequests = 3

export type RunningServer = {
  key: ServerKey
  row: DeployedServer
  startedMs: number
  /** How many requests are under way; while it starts, whoever waits for that is one. */
  requests(): number
  /** How many of them are WebSockets that were open for as long as they may be where others need room. */
  oldSockets(): number
  /** Has all WebSockets closed. */
  closeSockets(): void
  lastUsedMs(): number
  /** How many requests it has had since its start. */
  leases(): number
  /** As measured last; the most it may use where it wasn't. */
  bytes(): number
  /** As measured last; null before. */
  measured(): number | null
  measure(): Promise<void>
  lease(): ServerLease
  /** It listens from now on. */
  listens(): void
  /** Whether it is to end, and gets no more requests. */
  isEnding(): boolean
  /** Ends it once its requests have ended, or as long as they may take; resolves when it is gone. */
  leave(graces: Graces): Promise<void>
  /** SIGTERM at once, and SIGKILL after `graceMs`. */
  stop(graceMs: number): Promise<void>
  kill(): void
  ended: Promise<Ending>
}

type Given = {
  key: ServerKey
  row: DeployedServer
  process: ServerProcess
  nowMs: () => number
  /** Called before it is killed because it answers nothing. */
  onHung: () => void
  noteProblems: ServerLease['noteProblems']
}

export function createRunningServer({
  key,
  row,
  process,
  nowMs,
  onHung,
  noteProblems,
}: Given): RunningServer {
  const start = randomUUID()
  const startedMs = nowMs()
  let lastUsedMs = startedMs
  let requests = 0
  let leases = 0
  let isListening = false
  let measured: number | null = null
  let silent = 0
  let isChecked = false
  let leaving: Promise<void> | undefined
  let settled = () => {}
  const sockets = createHeldSockets(nowMs)

  function over(outcome: LeaseOutcome | undefined): void {
    requests -= 1
    lastUsedMs = nowMs()
    if (outcome === 'answered') silent = 0
    if (outcome === 'silent') {
      silent += 1
      if (silent >= silentRequests) void check()
    }
    if (requests === 0) settled()
  }

  async function check(): Promise<void> {
    if (isChecked) return
    isChecked = true
    const isWell = await isAnswering(process.socketPath, { host: row.host, path: row.runtime.health_path })
    isChecked = false
    if (isWell) {
      silent = 0
      return
    }
    onHung()
    process.kill()
  }

  async function leave({ requestsMs, stopMs }: Graces): Promise<void> {
    const none = new Promise<void>((resolve) => {
      settled = resolve
      if (requests === 0) resolve()
    })
    const gone = process.ended.then(() => {})
    await within(requestsMs, Promise.race([none, gone]), () => {})
    await process.stop(stopMs)
  }

  return {
    key,
    row,
    startedMs,
    requests: () => requests + (isListening ? 0 : 1),
    oldSockets: sockets.old,
    closeSockets: sockets.close,
    lastUsedMs: () => lastUsedMs,
    leases: () => leases,
    bytes: () => measured ?? row.runtime.memory_bytes,
    measured: () => measured,
    async measure() {
      measured = await process.memoryBytes()
    },
    lease() {
      requests += 1
      leases += 1
      let isOver = false
      const socket = sockets.create()
      return {
        path: process.socketPath,
        start,
        noteProblems,
        holdSocket: socket.hold,
        end(outcome) {
          if (isOver) return
          isOver = true
          socket.end()
          over(outcome)
        },
      }
    },
    listens() {
      isListening = true
      lastUsedMs = nowMs()
    },
    isEnding: () => leaving !== undefined,
    leave(graces) {
      leaving ??= leave(graces)
      return leaving
    },
    stop: process.stop,
    kill: process.kill,
    ended: process.ended,
  }
}
