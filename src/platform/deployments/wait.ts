/** Waits for the end of a deployment. */
import type { Store } from '../../stores/db/store.ts'
import type { Scope } from '../callers/scope.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import { getDeployment, type ReadDeps } from './read-deployment.ts'
import { isFinal } from './state.ts'

/** The poll interval, in case a notification is lost. */
const pollMs = 1_000

/**
 * The deployment once its state is final, or as it is after `waitMs` or when `signal` aborts.
 * @throws AppError `deployment_not_found`, also if it is deleted meanwhile.
 */
export async function waitForDeployment(
  deps: ReadDeps & { signal: AbortSignal },
  scope: Scope,
  id: string,
  waitMs: number,
): Promise<DeploymentRecord> {
  const { store, signal } = deps
  const endMs = performance.now() + waitMs
  for (;;) {
    const news = listen(store, id, signal)
    try {
      const deployment = await getDeployment(deps, scope, id)
      const leftMs = endMs - performance.now()
      if (isFinal(deployment.state) || leftMs <= 0 || signal.aborted) return deployment
      await news.next(Math.min(leftMs, pollMs))
    } finally {
      news.stop()
    }
  }
}

/** Subscribes from now on, so that no change between a poll and the wait for it is missed. */
function listen(store: Store, id: string, signal: AbortSignal) {
  let wake = () => {}
  let timer: NodeJS.Timeout | undefined
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const stopListening = store.changes.subscribe({
    changed: (change) => {
      if (change.kind === 'deployment' && change.id === id) wake()
    },
    missed: wake,
  })
  signal.addEventListener('abort', wake)
  return {
    next(timeoutMs: number): Promise<void> {
      timer = setTimeout(wake, timeoutMs)
      return woken
    },
    stop(): void {
      clearTimeout(timer)
      stopListening()
      signal.removeEventListener('abort', wake)
    },
  }
}
