/** The place of a directory among what it is installed with: its repository, or its workspace. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { type Found, inFolder } from '../../lib/frameworks/found.ts'
import { ManifestProblem, maxManifestBytes } from '../../lib/frameworks/manifest.ts'
import { findWorkspace } from '../../lib/frameworks/workspace.ts'
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

/** The root of a workspace, and the path of one of its packages below that. */
export type Workspace = { root: string; folder: string }

/**
 * The workspace from which the package in the directory is installed; undefined where it is installed by
 * itself.
 * @throws Failure (2) for a manifest that can't be read, or is another user's.
 */
export async function workspaceAround(directory: string): Promise<Workspace | undefined> {
  const { top, folder, found } = await placeOf(directory)
  const workspace = await explained(top, () => findWorkspace(found, folder))
  if (workspace === undefined) return undefined
  return { root: join(top, workspace), folder: folder.slice(inFolder(workspace, '/').length - 1) }
}

/** Resolves as `read` does. @throws Failure (2) that says where a manifest is that can't be read. */
export async function explained<T>(top: string, read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    throw error instanceof ManifestProblem ? usageFailure(`In ${top}: ${error.message}`) : error
  })
}

function placeBelow(top: string, directory: string): Place {
  const folder = relative(top, directory).split(sep).join('/')
  const folders = new Map<string, ReadonlySet<string>>()
  const found: Found = {
    namesIn(below) {
      const names = folders.get(below) ?? namesIn(join(top, below))
      folders.set(below, names)
      return names
    },
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
    return (await findWorkspace(found, folder)) === ''
  } catch (error) {
    if (error instanceof ManifestProblem || error instanceof Failure) return false
    throw error
  }
}

function directoriesAbove(directory: string): string[] {
  const above = dirname(directory)
  return above === directory ? [] : [above, ...directoriesAbove(above)]
}

function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory))
  } catch {
    // Whoever reads the site reports what is wrong with it.
    return new Set()
  }
}
