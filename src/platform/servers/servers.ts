/** The servers of a node, as whoever passes requests on to them sees them. */
import type { AnswerProblem } from './answer-problems.ts'
import type { ServerKey, ServerStatus } from './server-status.ts'

/** The server that a request is for. Starts are limited by team, and by the bucket of the visitor. */
export type ServerWanted = ServerKey & { teamId: string; projectId: string; address?: string | undefined }

/**
 * How a request ended, as far as it says something of the server: `answered` once the head of a response
 * came, `silent` where none came within 60 s. A server that is silent several times in a row is killed.
 */
export type LeaseOutcome = 'answered' | 'silent'

/**
 * A request, or a WebSocket, under way; while there is one the server is neither idle nor ended for others.
 */
export type ServerLease = {
  /** The Unix socket on which the server speaks HTTP/1.1. */
  path: string
  /** Identifies this start of the server: connections of one start are of no use to another. */
  start: string
  /** Has the log of the server say what visitors don't get of its answers. */
  noteProblems(problems: readonly AnswerProblem[]): void
  /**
   * It is a WebSocket from now on. Resolves to true once that is to be closed to make room for others, to
   * false once it is given back.
   */
  holdSocket(): Promise<boolean>
  /** Gives it back; a second time it does nothing. */
  end(outcome?: LeaseOutcome): void
}

export type Servers = {
  /**
   * Resolves once the server listens; it is started if it doesn't run.
   * @throws ServerRefused; the reason of `signal` once that aborts.
   */
  lease(wanted: ServerWanted, signal: AbortSignal): Promise<ServerLease>
  /** Whether the server runs here, and takes requests. */
  isRunning(key: ServerKey): Promise<boolean>
  /**
   * Starts the next server of a site beside the old one, which ends afterwards. Resolves once requests are to
   * go to the next one; never rejects.
   */
  takeOver(old: ServerKey, next: ServerWanted): Promise<void>
}

/** The servers that this process runs, for those who report on them, too. */
export type ServerPool = Servers & {
  /** Those that run, start, or have ended by themselves; the others are stopped. */
  list(): ServerStatus[]
  /** How many requests wait for a start. */
  waiting(): number
  /** Calls `listener` when the list has changed. Returns a function to unsubscribe. */
  onChange(listener: () => void): () => void
  /** Ends all of them: SIGTERM, and SIGKILL after `graceMs` milliseconds. */
  close(graceMs: number): Promise<void>
}

/**
 * Why a request gets no server: `busy` (no room, too many starts, or too many that wait), `starting` (it has
 * waited as long as it may), `crashed` (the start failed, or it ended by itself a moment ago), `gone` (there
 * is no such server any more), `unavailable` (this node runs none, or stops).
 */
export type ServerRefusal = 'busy' | 'starting' | 'crashed' | 'gone' | 'unavailable'

/** A request that gets no server. The message is a sentence for the project's members. */
export class ServerRefused extends Error {
  readonly refusal: ServerRefusal
  /** After how many milliseconds it is worth another try; undefined where waiting doesn't help. */
  readonly retryAfterMs: number | undefined

  constructor(refusal: ServerRefusal, message: string, retryAfterMs?: number) {
    super(message)
    this.name = 'ServerRefused'
    this.refusal = refusal
    this.retryAfterMs = retryAfterMs
  }
}

/** The servers of a node that runs none. */
export const noServers: Servers = {
  async lease() {
    throw new ServerRefused('unavailable', 'This node runs no servers.')
  },
  isRunning: async () => false,
  async takeOver() {},
}
