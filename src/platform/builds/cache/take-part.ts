/** Takes the directories to be cached from a workspace. */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CachedPath, cachedPaths, type Part } from './cached-paths.ts'
import type { NewTree } from './store.ts'
import { measureTrees } from './trees.ts'
import { findDirectory } from './ways.ts'
import { type CacheWork, megabytes, pathInTree, placeIn } from './work.ts'

/** The most files and directories of a cache: each takes an inode, and time to copy. */
const maxFiles = 250_000

const titles: Record<Part, string> = {
  packages: 'the installed packages',
  downloads: 'the downloads of package managers',
  results: 'the caches of the build',
}

/** Directories for a cache that is not saved yet. */
export type Taken = { made: NewTree; bytes: number }

/** Moves or copies a directory. */
type Put = (from: string, to: string, signal: AbortSignal) => Promise<void>

/** The directories of a part in a new tree; undefined if there are none, or if they are too large. */
export async function takePart(
  work: CacheWork,
  part: Part,
  put: Put,
  signal: AbortSignal,
): Promise<Taken | undefined> {
  const found = await findPart(work, part)
  if (found.length === 0) return undefined
  const bytes = await fittingBytes(work, part, found, signal)
  if (bytes === undefined) return undefined
  const made = await work.store.newTree()
  try {
    for (const { cached, path } of found) {
      const target = join(made.tree, pathInTree(cached))
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await put(path, target, signal)
    }
    return { made, bytes }
  } catch (error) {
    await work.store.discard(made)
    throw error
  }
}

type Found = { cached: CachedPath; path: string }

async function findPart(work: CacheWork, part: Part): Promise<Found[]> {
  const found: Found[] = []
  for (const cached of cachedPaths[part]) {
    const place = placeIn(work, cached)
    const path = await findDirectory(place.root, place.path)
    if (path !== undefined) found.push({ cached, path })
  }
  return found
}

/** Their size; undefined if they have no place. */
async function fittingBytes(
  { store, say }: CacheWork,
  part: Part,
  found: Found[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const { bytes, files } = await measureTrees(
    found.map(({ path }) => path),
    signal,
  )
  if (bytes > store.maxBytes || files > maxFiles) {
    const most = `${megabytes(store.maxBytes)} and ${maxFiles} files`
    say(`Not cached: ${titles[part]} have ${megabytes(bytes)} and ${files} files, more than ${most}.`)
    return undefined
  }
  if (await store.hasSpace(bytes)) return bytes
  say('Not cached: the disk of this node is nearly full.')
  return undefined
}
