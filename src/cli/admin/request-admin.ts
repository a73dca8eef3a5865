/** Sends a request of `svc admin` to the running node, or directly to the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AdminInput, AdminOutput, AdminRequest } from '../../stores/data-dir/admin-protocol.ts'
import { DataDirectoryInUseError, isLocked } from '../../stores/data-dir/lock.ts'
import { NoAdminSocketError, requestNode } from './request-node.ts'

const pollMs = 100

type Options<R extends AdminRequest> = {
  /** The data directory. */
  directory: string
  requested: R
  input: AdminInput<R>
  /**
   * Runs the request without a node; rejects with DataDirectoryInUseError if a node has the data directory
   * after all.
   */
  openDirectly: () => Promise<AdminOutput<R>>
  /** How long to wait for a node that is starting or stopping. */
  waitMs?: number
}

/**
 * The response to an administrator's request.
 * @throws the error of `openDirectly` or of the node's socket if it still fails after `waitMs`.
 */
export async function requestAdmin<R extends AdminRequest>({
  directory,
  requested,
  input,
  openDirectly,
  waitMs = 5000,
}: Options<R>): Promise<AdminOutput<R>> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    try {
      return (await isLocked(directory))
        ? await requestNode(directory, requested, input)
        : await openDirectly()
    } catch (error) {
      // A node started or stopped in between: try the other way.
      const changing = error instanceof NoAdminSocketError || error instanceof DataDirectoryInUseError
      if (!changing || performance.now() >= deadlineMs) throw error
    }
    await sleep(pollMs)
  }
}
