/** Where the files of a server are, after its build. */
import { ManifestProblem } from '../../lib/frameworks/manifest.ts'
import { findWorkspace } from '../../lib/frameworks/workspace.ts'
import { foundOnDisk } from './found-on-disk.ts'

/** `root` has all that is kept, relative to the files of the build; `directory` is the server's, below it. */
export type ServerPlace = { root: string; directory: string }

/**
 * The root directory of the project; where that is a package of a workspace, whose packages are installed
 * together, the root of the workspace.
 */
export async function findServerPlace(files: string, rootDirectory: string): Promise<ServerPlace> {
  const own = { root: rootDirectory, directory: '.' }
  if (rootDirectory === '.') return own
  try {
    const workspace = await findWorkspace(foundOnDisk(files), rootDirectory)
    return workspace ? { root: workspace.root || '.', directory: workspace.folder } : own
  } catch (error) {
    if (error instanceof ManifestProblem) return own
    throw error
  }
}
