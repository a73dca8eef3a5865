/** The challenges under way, in memory of a process that shows them. */
import { createFreshCache } from '../../stores/cache/fresh-cache.ts'
import type { Store } from '../../stores/db/store.ts'
import type { ChallengeType } from './acme/orders.ts'
import { type Challenge, listChallenges } from './challenges.ts'

export type PendingChallenges = {
  /**
   * The challenges of a type; a promise only where they have to be read. Rejects when the database is away.
   */
  of(type: ChallengeType): Challenge[] | Promise<Challenge[]>
  stop(): void
}

/** A challenge is shown by every node this long after it began, whatever happened to notifications. */
const maxAgeMs = 900

/** One list for all names: whoever asks for a challenge that isn't there costs nothing. */
export function createPendingChallenges({
  lookUps,
  changes,
}: Pick<Store, 'lookUps' | 'changes'>): PendingChallenges {
  const cache = createFreshCache<Challenge[]>({
    maxAgeMs,
    maxEntries: 1,
    load: () => listChallenges(lookUps),
  })
  const stop = changes.subscribe({
    changed({ kind }) {
      if (kind === 'challenge') cache.forgetAll()
    },
    missed: cache.forgetAll,
  })
  const ofType = (all: Challenge[], type: ChallengeType) => all.filter((each) => each.type === type)
  return {
    of(type) {
      const known = cache.peek('')
      return known ? ofType(known.value, type) : cache.get('').then((all) => ofType(all, type))
    },
    stop,
  }
}
