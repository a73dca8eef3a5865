/** `svc admin key`: a new owner key, from the running node or straight from the database. */
import type { OwnerKey } from '../../data-dir/admin-protocol.ts'
import type { Settings } from '../../settings.ts'
import { requestOwnerKey } from './ask-node.ts'
import { onNodeOrDirectly } from './reach.ts'

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
export async function adminKey({ settings, write, warn, openDirectly, waitMs }: Options): Promise<void> {
  const directory = settings.SVC_DATA_DIR
  const { token, team } = await onNodeOrDirectly(
    directory,
    { onNode: () => requestOwnerKey(directory), directly: openDirectly },
    waitMs,
  )
  warn(`A new owner key of team ${team}. It is shown only this once: keep it where nobody else can read it.`)
  write(token)
}
