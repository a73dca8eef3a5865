/** Workspaces: packages that are installed together, from the root of all (npm, pnpm, Yarn, Bun). */
import { isRecord } from '../is-record.ts'
import { type Found, hasFile, inFolder } from './found.ts'
import { lockFiles, pnpmWorkspace } from './manager-table.ts'
import { parseManifest } from './manifest.ts'
import { plainList } from './plain-list.ts'
import { matchesAny } from './workspace-patterns.ts'

/** The root of a workspace, and the path of one of its packages below that. */
export type Workspace = { root: string; folder: string }

/**
 * The workspace from which the package in `folder` is installed, the nearest above it whose patterns name it;
 * undefined for a root itself, and for a package with a lock file of its own.
 * @throws ManifestProblem for a manifest above it that can't be read.
 */
export async function findWorkspace(found: Found, folder: string): Promise<Workspace | undefined> {
  if (folder === '' || lockFiles.some((name) => found.namesIn(folder).has(name))) return undefined
  for (const root of foldersAbove(folder)) {
    const below = root === '' ? folder : folder.slice(root.length + 1)
    if (matchesAny(await patternsIn(found, root), below)) return { root, folder: below }
  }
  return undefined
}

/** `apps` and the root, for `apps/web`. */
export function foldersAbove(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'))
}

async function patternsIn(found: Found, root: string): Promise<string[]> {
  const own = inFolder(root, pnpmWorkspace)
  const ofPnpm = hasFile(found, own) ? plainList(await found.textOf(own), 'packages') : []
  const path = inFolder(root, 'package.json')
  if (!hasFile(found, path)) return ofPnpm
  const { workspaces } = parseManifest(path, await found.textOf(path))
  // Yarn 1 has them in an object, beside what isn't hoisted.
  const list: unknown = isRecord(workspaces) ? workspaces.packages : workspaces
  return [...ofPnpm, ...(Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [])]
}
