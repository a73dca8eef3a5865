/** `svc admin key`: a new owner key, from the running node or straight from the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnerKey } from '../../data-dir/admin-protocol.ts'
import { DataDirectoryInUseError, isLocked } from '../../data-dir/lock.ts'
import type { Settings } from '../../settings.ts'
import { NoAdminSocketError, requestOwnerKey } from './ask-node.ts'

const pollMs = 100

type Options = {
  settings: Pick<Settings, 'SVC_DATA_DIR'>
  /** Writes a line of output. */
  write: (line: string) => void
  /** Writes a line for the person, apart from the output. */
  warn: (line: string) => void
  /** Makes the key without a node; rejects with DataDirectoryInUseError when one has the data directory after all. */
  openDirectly: () => Promise<OwnerKey>
  /** How long to wait for a node that is starting or stopping. */
  waitMs?: number
}

/**
 * Makes an owner key and writes its token, a line of its own.
 * @throws what `openDirectly` and the node's socket do, when it still fails after `waitMs`.
 */
export async function adminKey({
  settings,
  write,
  warn,
  openDirectly,
  waitMs = 5000,
}: Options): Promise<void> {
  const { token, team } = await ownerKey(settings.SVC_DATA_DIR, openDirectly, waitMs)
  warn(`A new owner key of team ${team}. It is shown only this once: keep it where nobody else can read it.`)
  write(token)
}

async function ownerKey(
  directory: string,
  openDirectly: Options['openDirectly'],
  waitMs: number,
): Promise<OwnerKey> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    try {
      return (await isLocked(directory)) ? await requestOwnerKey(directory) : await openDirectly()
    } catch (error) {
      // A node started or stopped in between: whom to ask has changed, or is about to.
      const changing = error instanceof NoAdminSocketError || error instanceof DataDirectoryInUseError
      if (!changing || performance.now() >= deadlineMs) throw error
    }
    await sleep(pollMs)
  }
}
