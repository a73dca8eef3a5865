/** The directory of the sockets of a node's servers. */

import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../lib/make-directory.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { removeLeftGroups } from '../sandbox/memory-group.ts'
import { maxPathBytes } from './listening-socket.ts'

/** The bytes of a name in the directory. */
const nameBytes = 4

/**
 * Makes the directory below `SVC_DATA_DIR`, and removes from it, and from the control groups, what processes
 * that started before this one have left; harmless a second time.
 * @throws SettingsError where the paths of sockets would be too long.
 */
export async function openRunDirectory(dataDirectory: string): Promise<string> {
  const root = join(dataDirectory, 'servers', 'run')
  const over = Buffer.byteLength(`${socketPath(root)}-`) - maxPathBytes
  if (over > 0) {
    throw new SettingsError(
      `SVC_DATA_DIR (${dataDirectory}) is ${over} bytes too long for the sockets of servers: ` +
        'take a shorter path, or a symbolic link to it.',
    )
  }
  await makeDirectory(root)
  await removeLeftGroups()
  for (const name of await readdir(root)) {
    const path = join(root, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < performance.timeOrigin) await rm(path, { recursive: true, force: true })
  }
  return root
}

/** A new path for a socket. */
export function socketPath(root: string): string {
  return join(root, randomBytes(nameBytes).toString('hex'))
}
