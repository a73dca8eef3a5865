/** Ends builds as soon as their makers lose the right to them, on whichever node that happens. */
import type { Logger } from '../../../lib/log/logger.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { cancelOfMakers } from './cancel-without-right.ts'

type Deps = SiteUrls & { store: Store; nowMs: () => number; log: Logger }

/** How many users one query is about. */
const maxUsers = 1_000

/**
 * Looks, whenever somebody's rights have changed, for that person's builds. Where it fails, or a notification
 * is lost, a build is held to the right when its turn comes, and once more before it is ready. Closing waits
 * for a look under way.
 */
export function watchMakers(deps: Deps): { close(): Promise<void> } {
  const changed = new Set<string>()
  let looking: Promise<void> | undefined
  let isClosed = false

  async function look(): Promise<void> {
    while (changed.size > 0 && !isClosed) {
      const userIds = [...changed].slice(0, maxUsers)
      for (const id of userIds) changed.delete(id)
      while (!isClosed && (await cancelOfMakers(deps, userIds)));
    }
  }

  function wake(): void {
    if (changed.size === 0 || isClosed) return
    looking ??= look()
      .catch((err: unknown) =>
        deps.log.error({ err }, 'Builds of somebody whose rights have changed could not be looked for.'),
      )
      .finally(() => {
        looking = undefined
        wake()
      })
  }

  const unsubscribe = deps.store.changes.subscribe({
    changed({ kind, id }) {
      if (kind !== 'member') return
      changed.add(id)
      wake()
    },
    missed: () => {},
  })
  return {
    async close() {
      isClosed = true
      unsubscribe()
      await looking
    },
  }
}
