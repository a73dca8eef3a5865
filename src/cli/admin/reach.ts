/** Reaches what a data directory holds: through the node that runs on it, or directly where none does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DataDirectoryInUseError, isLocked } from '../../data-dir/lock.ts'
import { NoAdminSocketError } from './ask-node.ts'

const pollMs = 100

type Ways<T> = {
  /** Asks the running node; rejects with NoAdminSocketError when none listens after all. */
  onNode: () => Promise<T>
  /** Does it without a node; rejects with DataDirectoryInUseError when one has the data directory after all. */
  directly: () => Promise<T>
}

/**
 * Goes the way that is open, for up to `waitMs` while a node is starting or stopping.
 * @throws what the ways do, when it still fails after that time.
 */
export async function onNodeOrDirectly<T>(
  directory: string,
  { onNode, directly }: Ways<T>,
  waitMs = 5000,
): Promise<T> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    try {
      return (await isLocked(directory)) ? await onNode() : await directly()
    } catch (error) {
      // A node started or stopped in between: whom to ask has changed, or is about to.
      const changing = error instanceof NoAdminSocketError || error instanceof DataDirectoryInUseError
      if (!changing || performance.now() >= deadlineMs) throw error
    }
    await sleep(pollMs)
  }
}
