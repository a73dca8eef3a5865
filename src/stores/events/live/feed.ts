/** Reads one team's events for all its streams on this node. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../../lib/log/logger.ts'
import type { Store } from '../../db/store.ts'
import type { Inbox } from './inbox.ts'
import { type Recent, readRecent } from './read-recent.ts'

/**
 * How far back each reading goes: an event may be committed later than younger ones, by as long as a
 * transaction waits for locks and runs, and by what the clocks of nodes differ.
 */
export const windowMs = 30_000

/** Events that come together are read together. */
const pauseMs = 100

/** After a failure, and for more events than a reading holds. */
const longPauseMs = 1_000

/** Without any notification: one may have been lost. */
const pollMs = 10_000

export type FeedDeps = { store: Store; log: Logger; nowMs: () => number }

export type Feed = {
  /** How many streams it has. */
  size(): number
  /**
   * Adds a stream, which gets all that is committed from now on.
   * @throws if the events can't be read.
   */
  join(inbox: Inbox): Promise<void>
  leave(inbox: Inbox): void
  /** Ends it: there are no streams any more. */
  close(): void
  /** Something may have happened. */
  wake(): void
}

/** The feed of a team, from its first stream to its last. */
export function createFeed(deps: FeedDeps, teamId: string): Feed {
  const { store, log, nowMs } = deps
  const inboxes = new Set<Inbox>()
  /**
   * The events of the window that were sent, or are older than the streams; undefined until they were read
   * once.
   */
  let seen: Set<string> | undefined
  let lastReadMs = 0
  let starting: Promise<void> | undefined
  let isLooking = false
  let isWoken = false
  let isClosed = false
  let poll: NodeJS.Timeout | undefined

  async function read(sinceMs: number): Promise<Recent[] | undefined> {
    const startedMs = nowMs()
    const recent = await readRecent(store, teamId, sinceMs)
    lastReadMs = startedMs
    return recent
  }

  async function start(): Promise<void> {
    seen = new Set((await read(nowMs() - windowMs))?.map(({ key }) => key))
    if (!isClosed) poll = setInterval(wake, pollMs).unref()
  }

  function wake(): void {
    isWoken = true
    if (!isLooking) look()
  }

  const isOpen = () => seen !== undefined && !isClosed

  async function look(): Promise<void> {
    isLooking = true
    while (isWoken && isOpen()) {
      isWoken = false
      await sleep(await pass())
    }
    isLooking = false
  }

  /** Passes on what is new; returns how long to pause. */
  async function pass(): Promise<number> {
    try {
      const recent = await read(Math.min(nowMs(), lastReadMs) - windowMs)
      const known = seen
      if (!recent || !known) {
        for (const inbox of inboxes) inbox.miss()
        return longPauseMs
      }
      seen = new Set(recent.map(({ key }) => key))
      const fresh = recent.filter(({ key }) => !known.has(key))
      if (fresh.length > 0) for (const inbox of inboxes) inbox.put(fresh)
      return pauseMs
    } catch (error) {
      log.warn({ err: error, team: teamId }, 'The events of a team could not be read; retrying.')
      isWoken = true
      return longPauseMs
    }
  }

  return {
    size: () => inboxes.size,
    async join(inbox) {
      inboxes.add(inbox)
      try {
        starting ??= start()
        await starting
      } catch (error) {
        starting = undefined
        inboxes.delete(inbox)
        throw error
      }
      // An event committed before the inbox was added isn't for it, but harmless.
      wake()
    },
    leave(inbox) {
      inboxes.delete(inbox)
    },
    close() {
      isClosed = true
      clearInterval(poll)
    },
    wake,
  }
}
