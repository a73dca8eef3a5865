/** Notices a database that keeps connections open and does not respond, and fails what waits for it. */
import { connect, type Socket } from 'node:net'
import type { Logger } from '../../lib/log/logger.ts'

/** The database does not respond. Whether what waited for it took effect is unknown. */
export class DatabaseSilentError extends Error {
  readonly code = 'DATABASE_SILENT'

  constructor() {
    super('The database does not respond.')
  }
}

/** A query or a transaction. */
type Waiting = {
  /** Settles it, although the database hasn't. */
  fail(error: Error): void
  /** Whether it has made progress, so that it may take longer than one statement. */
  hasBegun?(): boolean
}

export type Watchdog = {
  /** The error for what is about to be sent, while the database is away. */
  refusal(): DatabaseSilentError | undefined
  /** Watches what waits from now on, until the returned function is called. */
  watch(waiting: Waiting): () => void
  /** A socket to the server, which is destroyed once it is silent for too long. */
  openSocket(server: Server): Socket
  stop(): void
}

/** As the options of postgres.js name it; a `path` is that of a Unix socket. */
export type Server = { host: string[]; port: number[]; path?: string | false }

type Options = {
  /** Resolves when the server responds; rejects soon when it doesn't. */
  probe: () => Promise<void>
  /** Longer than the server allows a statement to take, in milliseconds. */
  limitMs: number
  log: Pick<Logger, 'info' | 'warn'>
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

const lookEveryMs = 250

/** How long nothing may arrive, on any connection, before the server is probed. */
const silenceMs = 1_500

/** How often it is probed while it is away. */
const probeEveryMs = 500

/**
 * A look that is later than this means that this process was busy, and may not have read what has arrived.
 */
const busyMs = 1_000

type Heard = { bytes: number; heardMs: number }

/** Starts to watch. */
export function createWatchdog({ probe, limitMs, log, now = () => performance.now() }: Options): Watchdog {
  const waiting = new Map<Waiting, number>()
  const sockets = new Map<Socket, Heard>()
  let heardMs = now()
  let lookedMs = now()
  let isAway = false
  let isProbing = false
  let probedMs = Number.NEGATIVE_INFINITY
  let connections = 0

  /** Notes which sockets have received something since the last look. */
  function listen(nowMs: number): void {
    for (const [socket, heard] of sockets) {
      if (socket.destroyed) sockets.delete(socket)
      else if (socket.bytesRead !== heard.bytes) {
        Object.assign(heard, { bytes: socket.bytesRead, heardMs: nowMs })
        heardMs = nowMs
      }
    }
  }

  function look(): void {
    const nowMs = now()
    if (nowMs - lookedMs > busyMs) heardMs = nowMs
    lookedMs = nowMs
    listen(nowMs)
    failOverdue(nowMs)
    const [oldestMs = nowMs] = waiting.values()
    const isSilent = nowMs - Math.max(heardMs, oldestMs) > silenceMs
    if ((isSilent || isAway) && !isProbing && nowMs - probedMs > probeEveryMs) void probeServer()
  }

  /** One connection may be dead although the server lives. */
  function failOverdue(nowMs: number): void {
    for (const [each, sinceMs] of waiting) {
      if (nowMs - sinceMs <= limitMs) return
      for (const [socket, heard] of sockets) {
        if (nowMs - Math.max(heard.heardMs, sinceMs) > limitMs) socket.destroy()
      }
      if (!each.hasBegun?.()) each.fail(new DatabaseSilentError())
    }
  }

  async function probeServer(): Promise<void> {
    isProbing = true
    try {
      await probe()
      heardMs = now()
      if (isAway) comeBack()
    } catch (error) {
      if (!isAway) goAway(error)
    } finally {
      isProbing = false
      probedMs = now()
    }
  }

  function goAway(error: unknown): void {
    isAway = true
    log.warn({ err: error }, 'The database does not respond: what needs it is refused until it does.')
    destroyAll()
    for (const each of waiting.keys()) each.fail(new DatabaseSilentError())
  }

  function comeBack(): void {
    isAway = false
    log.info('The database responds again.')
    // Connections that are still being opened to where nobody has answered.
    destroyAll()
  }

  function destroyAll(): void {
    for (const socket of sockets.keys()) socket.destroy()
    sockets.clear()
  }

  const timer = setInterval(look, lookEveryMs).unref()
  return {
    refusal: () => (isAway ? new DatabaseSilentError() : undefined),
    watch(each) {
      waiting.set(each, now())
      return () => waiting.delete(each)
    },
    openSocket({ host, port, path }) {
      const at = connections % host.length
      connections += 1
      const socket = openTo({ host: host[at] ?? '', port: port[at] ?? 0, path })
      sockets.set(socket, { bytes: 0, heardMs: now() })
      return socket
    },
    stop: () => clearInterval(timer),
  }
}

/** The name is kept for TLS. */
function openTo({ host, port, path }: { host: string; port: number; path: Server['path'] }): Socket {
  return path ? connect(path) : Object.assign(connect(port, host), { host })
}
