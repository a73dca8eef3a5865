/** Whether visits of people go on: the version of each person's visits, cached until it changes. */
import { findVisitVersion } from '../../../platform/visitors/visit-version.ts'
import { createFreshCache } from '../../../stores/cache/fresh-cache.ts'
import { staleWhileAway } from '../../../stores/cache/stale-while-away.ts'
import { isStoreAway } from '../../../stores/db/failures.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Entry } from './visit-cookie.ts'

export type PersonVisits = {
  /**
   * Whether one of the visits, all of people, goes on. While the database is away, as last known; rejects
   * for a person of whom nothing is known then.
   */
  goOn(visits: readonly Entry[]): Promise<boolean>
  stop(): void
}

/** So that an end takes effect within a second, even where its notification is lost. */
const maxAgeMs = 900
const maxPeople = 10_000
const maxLoads = 200

/** Visits to sites that are served for `maxStaleMs` while the database is away, in milliseconds. */
export function createPersonVisits(
  { lookUps, changes }: Pick<Store, 'lookUps' | 'changes'>,
  maxStaleMs: number,
): PersonVisits {
  const cache = createFreshCache({
    maxAgeMs,
    maxEntries: maxPeople,
    maxLoads,
    load: (userId) => findVisitVersion(lookUps, userId),
  })
  const versionOf = staleWhileAway(cache, { maxStaleMs, isAway: isStoreAway })
  const stop = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'member') cache.forget(id)
    },
    missed: cache.expireAll,
  })
  return {
    async goOn(visits) {
      for (const { subject, visitVersion } of visits) {
        const version = await versionOf(subject)
        // The version in memory may be older than the visit, never younger than a second.
        if (version !== undefined && visitVersion >= version) return true
      }
      return false
    },
    stop,
  }
}
