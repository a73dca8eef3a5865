/** Reads what a stream missed between two connections. */
import { isId } from '../../../lib/ids.ts'
import { type FeedDeps, windowMs } from './feed.ts'
import type { LiveEvent } from './messages.ts'
import { readRecent } from './read-recent.ts'

/** A client that was away for longer reads everything again. */
const maxAwayMs = 10 * 60_000

/**
 * The events of the team that may have been committed after the one with this id, some of which the client
 * may have got already; undefined if there are too many, or the id is none of the last ten minutes.
 */
export async function eventsAfter(
  { store, nowMs }: Omit<FeedDeps, 'log'>,
  teamId: string,
  lastEventId: string,
): Promise<LiveEvent[] | undefined> {
  if (!isId('event', lastEventId)) return undefined
  const afterMs = timeOf(lastEventId)
  if (afterMs < nowMs() - maxAwayMs || afterMs > nowMs() + windowMs) return undefined
  const recent = await readRecent(store, teamId, afterMs - windowMs)
  return recent?.filter(({ id }) => id !== lastEventId)
}

/** Ids begin with twelve hex digits of Unix milliseconds. */
function timeOf(id: string): number {
  const [, time = ''] = /_([0-9a-f]{12})/.exec(id) ?? []
  return Number.parseInt(time, 16)
}
