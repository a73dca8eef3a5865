/** The streams of events that are open on this node, by team. */
import { AppError } from '../../../lib/errors.ts'
import { createFeed, type Feed, type FeedDeps } from './feed.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** The most streams of a team. */
const maxStreams = 100

/** When a refused stream may be tried again. */
const retryAfterMs = 10_000

export type Feeds = {
  /**
   * Opens a stream: its inbox gets all that is committed from now on.
   * @throws AppError `too_many_waiting` when the team has 100 on this node; if the events can't be read.
   */
  open(teamId: string): Promise<{ inbox: Inbox; close: () => void }>
}

/**
 * The feeds of a node. A team's events are read once for all of its streams, when any node notifies of one.
 */
export function createFeeds(deps: FeedDeps): Feeds {
  const feeds = new Map<string, Feed>()

  deps.store.changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'event') feeds.get(id)?.wake()
    },
    missed() {
      for (const feed of feeds.values()) feed.wake()
    },
  })

  function feedOf(teamId: string): Feed {
    const known = feeds.get(teamId)
    if (known) return known
    const feed = createFeed(deps, teamId)
    feeds.set(teamId, feed)
    return feed
  }

  return {
    async open(teamId) {
      const feed = feedOf(teamId)
      if (feed.size() >= maxStreams) {
        const limit = `A team may have ${maxStreams} streams open on a node`
        const message = `${limit}. Close some, or try again later.`
        throw new AppError('too_many_waiting', message, { retryAfterMs })
      }
      const inbox = createInbox()
      const close = () => {
        feed.leave(inbox)
        if (feed.size() > 0 || feeds.get(teamId) !== feed) return
        feeds.delete(teamId)
        feed.close()
      }
      try {
        await feed.join(inbox)
      } catch (error) {
        close()
        throw error
      }
      return { inbox, close }
    },
  }
}
