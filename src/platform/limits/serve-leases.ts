/** Lends what a node has to its other processes. */
import type { LeaseKeeper, OfferedTo } from './leases.ts'

type Named<P extends string> = { pool: P; id: string }

/** The requests of a process; the methods are those of `LeaseKeeper`. */
export type LeasesService<P extends string> = {
  takeLease(wanted: Named<P> & { teamId: string }): Promise<boolean>
  endLease(lease: Named<P>): void
  offerLease(lease: Named<P> & { to: OfferedTo }): Promise<boolean>
  keepLease(lease: Named<P>): void
}

/** Serves the keepers to one process. `release` takes back what that one held, once it has ended. */
export function serveLeases<P extends string>(
  keepers: Record<P, LeaseKeeper>,
): LeasesService<P> & { release(): void } {
  const held = new Map<string, P>()
  let isReleased = false
  return {
    async takeLease({ pool, id, teamId }) {
      if (isReleased) return false
      held.set(id, pool)
      const isTaken = await keepers[pool].take(id, teamId)
      if (!isTaken) held.delete(id)
      return isTaken
    },
    endLease({ pool, id }) {
      held.delete(id)
      keepers[pool].end(id)
    },
    offerLease: ({ pool, id, to }) => keepers[pool].offer(id, to),
    keepLease: ({ pool, id }) => keepers[pool].keep(id),
    release() {
      isReleased = true
      for (const [id, pool] of held) keepers[pool].end(id)
      held.clear()
    },
  }
}

/** The keeper of a pool that another process has. */
export function remoteKeeper<P extends string>(service: LeasesService<P>, pool: P): LeaseKeeper {
  return {
    take: (id, teamId) => service.takeLease({ pool, id, teamId }),
    end: (id) => service.endLease({ pool, id }),
    offer: (id, to) => service.offerLease({ pool, id, to }),
    keep: (id) => service.keepLease({ pool, id }),
  }
}
