/** Directories that somebody has named. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './has-code.ts'

/**
 * Creates a directory with those above it that are missing, each for its owner alone. Of `mkdir` the option
 * `recursive` never ends where a file system takes no new directories and says that they don't exist, as
 * `/proc` does.
 * @throws the error of the system for what can't be created, and where something else has the name.
 */
export async function makeDirectory(path: string): Promise<void> {
  const problem = await tryOnce(path)
  if (problem === undefined) return
  if (!hasCode(problem, 'ENOENT')) throw problem
  const above = dirname(path)
  if (!(await isDirectory(above))) await makeDirectory(above)
  // Somebody else may have created the one above meanwhile, too.
  const again = await tryOnce(path)
  if (again !== undefined) throw again
}

/** The error, unless the directory is there by then. */
async function tryOnce(path: string): Promise<unknown> {
  try {
    await mkdir(path, { mode: 0o700 })
    return undefined
  } catch (error) {
    return (await isDirectory(path)) ? undefined : error
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
