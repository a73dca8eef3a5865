/** The place of a directory among what it is installed with: its repository, or its workspace. */
import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Found } from '../../lib/frameworks/found.ts'
import { ManifestProblem, maxManifestBytes } from '../../lib/frameworks/manifest.ts'
import { namesOnDisk } from '../../lib/frameworks/names-on-disk.ts'
import { findWorkspace, type Workspace } from '../../lib/frameworks/workspace.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import { readDecidingFile, readFoundFile } from '../read-file.ts'
import { realpathIfAny } from '../real-path.ts'

/** `folder` is the directory's path below `top`, whose files are `found`. */
export type Place = { top: string; folder: string; found: Found }

/**
 * The place of a directory below the root of its repository, without one below that of its workspace, else
 * its own.
 */
export async function placeOf(directory: string): Promise<Place> {
  const own = realpathIfAny(directory)
  const above = [own, ...directoriesAbove(own)]
  const top = above.find((each) => existsSync(join(each, '.git')))
  if (top !== undefined) return placeBelow(top, own)
  for (const each of above.slice(1)) {
    const place = placeBelow(each, own)
    if (await isWorkspaceOf(place)) return place
  }
  return placeBelow(own, own)
}

/**
 * The workspace from which the package in the directory is installed; undefined where it is installed by
 * itself.
 * @throws Failure (2) for a manifest that can't be read, or is another user's.
 */
export async function workspaceAround(directory: string): Promise<Workspace | undefined> {
  const { top, folder, found } = await placeOf(directory)
  const workspace = await explained(top, () => findWorkspace(found, folder))
  return workspace && { root: join(top, workspace.root), folder: workspace.folder }
}

/** Resolves as `read` does. @throws Failure (2) that says where a manifest is that can't be read. */
export async function explained<T>(top: string, read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    throw error instanceof ManifestProblem ? usageFailure(`In ${top}: ${error.message}`) : error
  })
}

function placeBelow(top: string, directory: string): Place {
  const folder = relative(top, directory).split(sep).join('/')
  const found: Found = {
    namesIn: namesOnDisk(top),
    async textOf(path) {
      const isOwn = folder === '' || path.startsWith(`${folder}/`)
      const absolute = join(top, path)
      // What lies above decides what is sent, and anybody may have put it there.
      return isOwn
        ? (readFoundFile(absolute, { maxBytes: maxManifestBytes }) ?? '')
        : (readDecidingFile(absolute, maxManifestBytes) ?? '')
    },
  }
  return { top, folder, found }
}

/** Without a repository nobody says that what lies above belongs to it: it has to say so itself. */
async function isWorkspaceOf({ found, folder }: Place): Promise<boolean> {
  try {
    return (await findWorkspace(found, folder))?.root === ''
  } catch (error) {
    if (error instanceof ManifestProblem || error instanceof Failure) return false
    throw error
  }
}

function directoriesAbove(directory: string): string[] {
  const above = dirname(directory)
  return above === directory ? [] : [above, ...directoriesAbove(above)]
}
