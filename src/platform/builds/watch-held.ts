/**
 * Detects at once when this worker loses a build: it was canceled, its project deleted, or another worker has
 * it.
 */
import type { Store } from '../../stores/db/store.ts'
import { type BuildJob, holdsBuild } from '../deployments/queued/claim-build.ts'

/** Calls `onGone` when that has happened. Returns a function that stops watching. */
export function watchHeld({ store }: { store: Store }, job: BuildJob, onGone: () => void): () => void {
  function look(): void {
    holdsBuild({ store }, job).then(
      (isHeld) => {
        if (!isHeld) onGone()
      },
      // While the store is unavailable, the next heartbeat detects it.
      () => {},
    )
  }
  return store.changes.subscribe({
    changed({ kind, id }) {
      const isOurs = (kind === 'deployment' && id === job.id) || (kind === 'project' && id === job.projectId)
      if (isOurs) look()
    },
    missed: look,
  })
}
