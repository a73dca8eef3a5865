/** Why a server is not started: as whoever waits for it gets to know, and as its log says. */
import { LRUCache } from 'lru-cache'
import { AppError, type Reason } from '../../lib/errors.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import type { ServerLog } from './lines.ts'
import { type ServerRefusal, ServerRefused } from './servers.ts'

const againMs = 5_000

/** For how long a line stands for all refusals of a server, as where the node has no room for it. */
const quietMs = 60_000

/** The most servers whose last line is remembered. */
const maxServers = 1_000

/** The reasons that pass by themselves, and those that don't. */
const refusals = new Map<Reason, ServerRefusal>([
  ['too_many_waiting', 'busy'],
  ['disk_full', 'busy'],
  ['store_unavailable', 'busy'],
  ['stopping', 'unavailable'],
  ['deployment_not_found', 'gone'],
])

/** @throws ServerRefused for what is none of the server's fault; anything else as it is. */
export function toRefusal(error: unknown): never {
  const refusal = error instanceof AppError ? refusals.get(error.reason) : undefined
  if (error instanceof AppError && refusal !== undefined)
    throw new ServerRefused(refusal, error.message, refusal === 'busy' ? againMs : undefined)
  if (isStoreAway(error)) throw new ServerRefused('busy', 'The database is away.', againMs)
  throw error
}

/**
 * Returns a function that says in the log of the server with that name why it isn't started, once a minute;
 * `nowMs` is in milliseconds.
 */
export function createRefusalLines(
  nowMs: () => number,
): (name: string, log: Pick<ServerLog, 'say'>, refused: ServerRefused) => void {
  const saidMs = new LRUCache<string, number>({ max: maxServers })
  return (name, log, { refusal, message }) => {
    const lastMs = saidMs.get(name)
    if (refusal === 'gone' || (lastMs !== undefined && nowMs() < lastMs + quietMs)) return
    saidMs.set(name, nowMs())
    log.say('error', `The server is not started: ${message}`)
  }
}
