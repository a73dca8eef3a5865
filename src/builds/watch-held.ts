/** Notices at once when a build isn't this worker's any more: it was canceled, its project deleted, or another has it. */
import type { Store } from '../db/store.ts'
import { type BuildJob, holdsBuild } from '../deployments/queued/claim.ts'

/** Calls `onGone` when that has happened. The function it returns ends the watch. */
export function watchHeld({ store }: { store: Store }, job: BuildJob, onGone: () => void): () => void {
  function look(): void {
    holdsBuild({ store }, job).then(
      (isHeld) => {
        if (!isHeld) onGone()
      },
      // With the store away the next heartbeat tells.
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
