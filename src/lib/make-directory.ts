/** Directories that somebody has named. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory with those above it that are missing, each for its owner alone. Of `mkdir` the option
 * `recursive` never ends where a file system takes no new directories and says that they don't exist, as
 * `/proc` does.
 * @throws the error of the system for what can't be created, and where something else has the name.
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (await isDirectory(path)) return
    const above = dirname(path)
    if (!isMissing(error) || (await isDirectory(above))) throw error
    await makeDirectory(above)
    await makeDirectory(path)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
