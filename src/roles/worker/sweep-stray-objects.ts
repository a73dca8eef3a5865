/** The recurring sweep of unreferenced objects, which leaves too many of them for an operator to check. */
import type { Logger } from '../../lib/log/logger.ts'
import { isTooMany, sweepStray, type TrashLimits } from '../../platform/deployments/garbage/stray-objects.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Database } from '../../stores/db/database.ts'

type Deps = {
  db: Database
  blobs: BlobStore
  trash: TrashLimits
  stopping: AbortSignal
  log: Logger
  /** Called with the number of objects left. */
  strayLeft: (count: number) => void
}

/** Sweeps; resolves to how many objects were moved to the trash. */
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
        'Too many stored files are unreferenced, so none was removed: ' +
          'this may be the wrong database, or an older one. `svc admin blobs sweep` removes them.',
      )
    }
    return swept
  }
}
