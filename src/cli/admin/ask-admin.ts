/** What `svc admin` asks for: of the running node, or straight of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AdminInput, AdminOutput, AdminRequest } from '../../data-dir/admin-protocol.ts'
import { DataDirectoryInUseError, isLocked } from '../../data-dir/lock.ts'
import { askNode, NoAdminSocketError } from './ask-node.ts'

const pollMs = 100

type Options<R extends AdminRequest> = {
  /** The data directory. */
  directory: string
  asked: R
  input: AdminInput<R>
  /** Does it without a node; rejects with DataDirectoryInUseError when one has the data directory after all. */
  openDirectly: () => Promise<AdminOutput<R>>
  /** How long to wait for a node that is starting or stopping. */
  waitMs?: number
}

/**
 * The answer to a request of the administrator.
 * @throws what `openDirectly` and the node's socket do, when it still fails after `waitMs`.
 */
export async function askAdmin<R extends AdminRequest>({
  directory,
  asked,
  input,
  openDirectly,
  waitMs = 5000,
}: Options<R>): Promise<AdminOutput<R>> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    try {
      return (await isLocked(directory)) ? await askNode(directory, asked, input) : await openDirectly()
    } catch (error) {
      // A node started or stopped in between: whom to ask has changed, or is about to.
      const changing = error instanceof NoAdminSocketError || error instanceof DataDirectoryInUseError
      if (!changing || performance.now() >= deadlineMs) throw error
    }
    await sleep(pollMs)
  }
}
