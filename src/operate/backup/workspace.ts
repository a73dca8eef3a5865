/** The directory for temporary files of a backup or a restore, of which one runs at a time. */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DataDirectoryInUseError, isLocked, lockDataDirectory } from '../../stores/data-dir/lock.ts'
import { beginTenure, type Tenure } from '../../stores/data-dir/tenures.ts'
import { BackupError } from './error.ts'

/** The directory, in the data directory and so on its file system. */
function workspacePath(dataDirectory: string): string {
  return join(dataDirectory, 'backup')
}

/** The directory in it into which a node copies its database. */
export function databaseCopyPath(dataDirectory: string): string {
  return join(workspacePath(dataDirectory), 'db')
}

/** Beside it, since it is removed: the tenures of those who had it. */
function tenuresPath(dataDirectory: string): string {
  return `${workspacePath(dataDirectory)}-tenures`
}

/** Long enough for a node that removes what was left there. */
const waitMs = 2_000

/**
 * Runs `work` with the directory, empty at first, and removes it. What a dead process left is removed, too.
 * @throws BackupError while another one runs.
 */
export async function inWorkspace<T>(
  dataDirectory: string,
  work: (workspace: { directory: string; tenure: Tenure }) => Promise<T>,
): Promise<T> {
  const directory = workspacePath(dataDirectory)
  const lock = await lockDataDirectory(directory, { waitMs }).catch((error: unknown) => {
    if (!(error instanceof DataDirectoryInUseError)) throw error
    throw new BackupError(`Another backup or restore is running here, as process ${error.pid}.`)
  })
  const empty = async () => {
    for (const name of await readdir(directory))
      if (!name.startsWith('lock')) await rm(join(directory, name), { recursive: true, force: true })
  }
  try {
    await empty()
    return await work({ directory, tenure: await beginTenure(tenuresPath(dataDirectory)) })
  } finally {
    await empty()
    await lock.release()
    // Somebody else may have begun.
    await rmdir(directory).catch(() => {})
  }
}

/** Removes what a backup or a restore left there that died. */
export async function removeLeftWorkspace(dataDirectory: string): Promise<void> {
  const directory = workspacePath(dataDirectory)
  const isLeft = (await readdir(directory).catch(() => [])).length > 0 && !(await isLocked(directory))
  if (isLeft)
    await inWorkspace(dataDirectory, async () => {}).catch((error: unknown) => {
      // Somebody has begun meanwhile.
      if (!(error instanceof BackupError)) throw error
    })
}
