/** Follows a team's events, for as long as the caller may see them. */

import { newId } from '../../../lib/ids.ts'
import type { Changes } from '../../db/changes.ts'
import type { Store } from '../../db/store.ts'
import type { Feeds } from './feeds.ts'
import type { Inbox } from './inbox.ts'
import type { LiveEvent, Message } from './messages.ts'
import { eventsAfter } from './resume.ts'

/** How often the credential is checked without any notification of a change. */
const checkMs = 15_000

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1

/** A message, with the id after which a stream resumes. */
export type Identified = { id: string; message: Message }

type Deps = { store: Store; feeds: Feeds; nowMs: () => number }

/** The ids of the projects whose events a stream has; null for the whole team's. */
type Seen = readonly string[] | null

/** Whose stream it is, until when its credential is valid, and how to check it. */
export type Follower = {
  userId: string
  teamId: string
  projects: Seen
  /** Null without an end. */
  expiresMs: number | null
  /** Resolves to the projects that the caller sees now; rejects once the credential is no longer valid. */
  check: () => Promise<Seen>
  /** Aborts when the client disconnects or the node stops. */
  signal: AbortSignal
}

/**
 * The events that the follower sees as they happen: `connected`, then those after `lastEventId`, or `missed`
 * where it can't be resumed, then new ones; `missed` again once it sees other projects. Some may come twice.
 * It fails as `check` does, and with an AbortError when `signal` aborts.
 * @throws AppError `too_many_waiting`; if the events can't be read.
 */
export async function followEvents(
  deps: Deps,
  follower: Follower,
  lastEventId: string | null,
): Promise<AsyncIterable<Identified>> {
  const { teamId, signal } = follower
  const { inbox, close } = await deps.feeds.open(teamId)
  const doubt = watchCredential(deps, follower, inbox)
  const end = () => {
    doubt.stop()
    close()
    inbox.wake()
  }
  // Also if nobody ever reads from it.
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    const before = lastEventId === null ? [] : await eventsAfter(deps, teamId, lastEventId)
    if (before) inbox.put(before)
    else inbox.miss()
  } catch (error) {
    end()
    throw error
  }
  return messages(deps, follower, inbox, doubt)
}

async function* messages(
  { nowMs }: Pick<Deps, 'nowMs'>,
  { projects, check, signal }: Follower,
  inbox: Inbox,
  doubt: Doubt,
): AsyncGenerator<Identified> {
  let seen = projects
  async function isChanged(): Promise<boolean> {
    if (!doubt.take()) return false
    const before = seen?.join()
    seen = await check()
    return seen?.join() !== before
  }
  const of = (message: Message): Identified => ({ id: newId('event', nowMs()), message })
  yield of({ type: 'connected' })
  for (;;) {
    await inbox.wait()
    signal.throwIfAborted()
    if (await isChanged()) inbox.miss()
    const { missed, events } = inbox.take()
    if (missed) yield of({ type: 'missed' })
    for (const event of events) {
      // A slow client may take an event long after the one before.
      if (await isChanged()) {
        inbox.miss()
        break
      }
      if (isIn(seen, event)) yield event
    }
  }
}

function isIn(seen: Seen, { message: { project } }: LiveEvent): boolean {
  return seen === null || (project !== null && seen.includes(project))
}

/** Whether the credential may have ended since it was checked. */
type Doubt = { take(): boolean; stop(): void }

/** Wakes the stream when its credential may have ended. */
function watchCredential(
  { store, nowMs }: Pick<Deps, 'store' | 'nowMs'>,
  { userId, teamId, expiresMs }: Follower,
  inbox: Inbox,
): Doubt {
  let isDoubtful = false
  const doubt = () => {
    isDoubtful = true
    inbox.wake()
  }
  const ids: Partial<Record<Parameters<Changes['publish']>[0]['kind'], string>> = {
    member: userId,
    team: teamId,
  }
  const unsubscribe = store.changes.subscribe({
    changed({ kind, id }) {
      // Which key or session it is takes a look-up, and few are revoked.
      if (kind === 'key' || kind === 'session' || ids[kind] === id) doubt()
    },
    missed: doubt,
  })
  // Something may have happened since the request was authenticated.
  doubt()
  const regularly = setInterval(doubt, checkMs).unref()
  const expiry =
    expiresMs === null ? undefined : setTimeout(doubt, Math.min(expiresMs - nowMs() + 1, maxTimerMs)).unref()
  return {
    take() {
      const was = isDoubtful
      isDoubtful = false
      return was
    },
    stop() {
      unsubscribe()
      clearInterval(regularly)
      clearTimeout(expiry)
    },
  }
}
