/** The recurring sweep of stray objects, which leaves them where a person has to look first. */
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../db/open.ts'
import { isTooMany, sweepStray, type TrashLimits } from '../deployments/sweep-stray.ts'
import type { Logger } from '../log/logger.ts'

type Deps = {
  db: Database
  blobs: BlobStore
  trash: TrashLimits
  stopping: AbortSignal
  log: Logger
  /** Is told how many were left where they are. */
  strayLeft: (count: number) => void
}

/** A sweep; it resolves to how many objects it put aside. */
export function strayStep({
  db,
  blobs,
  trash,
  stopping,
  log,
  strayLeft,
}: Deps): (nowMs: number) => Promise<number> {
  return async (nowMs) => {
    const { swept, ...found } = await sweepStray({ db, blobs, nowMs, stopping }, trash)
    if (stopping.aborted) return swept
    strayLeft(isTooMany(found) ? found.stray : 0)
    if (isTooMany(found)) {
      log.warn(
        found,
        'So many stored files are unknown to the database that none was removed: it may be the wrong database, or an older ' +
          'one. `svc admin blobs sweep` removes them.',
      )
    }
    return swept
  }
}
