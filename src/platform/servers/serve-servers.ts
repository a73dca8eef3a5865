/** Lets the other processes of a node use the servers that this one runs. */
import { randomUUID } from 'node:crypto'
import type { AnswerProblem } from './answer-problems.ts'
import type { ServerKey } from './server-status.ts'
import {
  type LeaseOutcome,
  type ServerLease,
  type ServerRefusal,
  ServerRefused,
  type Servers,
  type ServerWanted,
} from './servers.ts'

/** A lease, or the refusal, as values that can be sent. */
type Leased =
  | Pick<ServerLease, 'path' | 'start'>
  | { refusal: ServerRefusal; message: string; retryAfterMs: number | undefined }

/** The requests of a process; each lease has an id of its own. */
export type ServersService = {
  leaseServer(lease: { id: string; wanted: ServerWanted }): Promise<Leased>
  /** Both as a `ServerLease` does. */
  holdSocket(of: { id: string }): Promise<boolean>
  noteProblems(of: { id: string; problems: readonly AnswerProblem[] }): void
  /** As `Servers` do. */
  isServerRunning(key: ServerKey): Promise<boolean>
  takeOverServer(of: { old: ServerKey; next: ServerWanted }): Promise<void>
  /** Ends a lease, or the wait for it. */
  endServerLease(lease: { id: string; outcome?: LeaseOutcome | undefined }): void
}

/** Serves `servers` to one process. `release` takes back the leases of that one, once it has ended. */
export function serveServers(servers: Servers): ServersService & { release(): void } {
  const leases = new Map<string, { ends: AbortController; lease?: ServerLease }>()
  let isReleased = false

  function end(id: string, outcome?: LeaseOutcome): void {
    const held = leases.get(id)
    leases.delete(id)
    held?.lease?.end(outcome)
    held?.ends.abort()
  }

  return {
    async leaseServer({ id, wanted }) {
      if (isReleased) throw new Error('The process has ended.')
      const held: { ends: AbortController; lease?: ServerLease } = { ends: new AbortController() }
      leases.set(id, held)
      try {
        const lease = await servers.lease(wanted, held.ends.signal)
        // Ended in the moment in which it was granted.
        if (held.ends.signal.aborted) lease.end()
        held.lease = lease
        return { path: lease.path, start: lease.start }
      } catch (error) {
        leases.delete(id)
        if (!(error instanceof ServerRefused)) throw error
        return { refusal: error.refusal, message: error.message, retryAfterMs: error.retryAfterMs }
      }
    },
    holdSocket: async ({ id }) => leases.get(id)?.lease?.holdSocket() ?? false,
    noteProblems: ({ id, problems }) => leases.get(id)?.lease?.noteProblems(problems),
    isServerRunning: servers.isRunning,
    takeOverServer: ({ old, next }) => servers.takeOver(old, next),
    endServerLease: ({ id, outcome }) => end(id, outcome),
    release() {
      isReleased = true
      for (const id of leases.keys()) end(id)
    },
  }
}

/** The servers that another process of the node runs; this one connects to their sockets itself. */
export function remoteServers(service: ServersService): Servers {
  return {
    // Without the process that runs them, there is nothing to wait for.
    isRunning: (key) => service.isServerRunning(key).catch(() => false),
    takeOver: (old, next) => service.takeOverServer({ old, next }).catch(() => {}),
    async lease(wanted, signal) {
      signal.throwIfAborted()
      const id = randomUUID()
      const end = (outcome?: LeaseOutcome) => service.endServerLease({ id, outcome })
      const leave = () => end()
      signal.addEventListener('abort', leave)
      try {
        const leased = await service.leaseServer({ id, wanted })
        if ('refusal' in leased) {
          signal.throwIfAborted()
          throw new ServerRefused(leased.refusal, leased.message, leased.retryAfterMs)
        }
        if (signal.aborted) end()
        signal.throwIfAborted()
        return {
          ...leased,
          noteProblems: (problems) => service.noteProblems({ id, problems }),
          // Without the process that runs the server, that ends, too.
          holdSocket: () => service.holdSocket({ id }).catch(() => false),
          end: once(end),
        }
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}

function once(end: (outcome?: LeaseOutcome) => void): (outcome?: LeaseOutcome) => void {
  let isOver = false
  return (outcome) => {
    if (isOver) return
    isOver = true
    end(outcome)
  }
}
