/** The dashboard's files: found by path, read by content. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasCode } from '../../../lib/has-code.ts'
import type { Coding } from '../../../stores/blobs/encodings.ts'
import { createSizedCache } from '../../../stores/cache/sized-cache.ts'
import { isLocked } from '../../../stores/data-dir/lock.ts'
import { type DashboardFile, type ReadManifest, readManifest } from './manifest.ts'
import { createMatcher, type MatchPath } from './match-path.ts'

export type Dashboard = {
  /**
   * The file for a path without its leading slash, or undefined. Its name is that in the export. What Next.js
   * makes pages of is found only where `forData`.
   */
  find(path: string, forData: boolean): Promise<FoundFile | undefined>
  /** The bytes of a file, compressed with `coding` if given. */
  read(file: DashboardFile, coding: Coding | undefined): Promise<Buffer>
  /** Whether it is being built beside this node. */
  isBuilding(): Promise<boolean>
}

export type FoundFile = { name: string; file: DashboardFile }

/** Where a dashboard is, and the directory that is locked while it is built. */
export type DashboardPlace = { directory: string; building: string }

/** In the package, or where a clone's `npm run dashboard` puts it. */
export const builtPlace: DashboardPlace = {
  directory: fileURLToPath(new URL('../../../../dist/dashboard', import.meta.url)),
  building: fileURLToPath(new URL('../../../../dist/.dashboard', import.meta.url)),
}

/** How long a manifest is used before its file is looked at again. */
const freshMs = 1_000

/** The most of all files that a node keeps in memory. */
const maxCachedBytes = 8 * 1024 * 1024

/** The manifest's files, and the way to them. */
type Opened = ReadManifest & { match: MatchPath }

/**
 * Opens the dashboard in `directory` at the first request, and again when another build has replaced it. Only
 * names in its manifest are found, and objects are read by digest, so no path leads out of the directory.
 * Keeps its `share` of what a node may keep in memory.
 */
export function createDashboard({ directory, building }: DashboardPlace, share = 1): Dashboard {
  const maxBytes = Math.floor(maxCachedBytes * share)
  const bytes = createSizedCache<string, Buffer>((buffer) => buffer.length, maxBytes)
  let opened: Opened | undefined
  let opening: Promise<Opened | undefined> | undefined
  let openedMs = Number.NEGATIVE_INFINITY

  async function reopen(): Promise<Opened | undefined> {
    try {
      const read = await readManifest(directory, opened)
      if (read !== opened) opened = read && { ...read, match: createMatcher(read.manifest.files.keys()) }
      openedMs = performance.now()
      return opened
    } finally {
      opening = undefined
    }
  }

  async function open(): Promise<Opened | undefined> {
    if (performance.now() - openedMs < freshMs) return opened
    opening ??= reopen()
    return opening
  }

  return {
    async find(path, forData) {
      const dashboard = await open()
      if (!dashboard) return undefined
      const { match, manifest } = dashboard
      const name = match(path, forData)
      const file = name === undefined ? manifest.previous.get(path) : manifest.files.get(name)
      return file && { name: name ?? path, file }
    },
    read({ sha256 }, coding) {
      const object = coding === undefined ? sha256 : `${sha256}.${coding}`
      return bytes.get(object, () => readFile(join(directory, 'objects', object)))
    },
    isBuilding: () => isBeingBuilt(building),
  }
}

/** Whether a process holds `building`; false where that is another user's, whom this one may not watch. */
export async function isBeingBuilt(building: string): Promise<boolean> {
  try {
    return await isLocked(building)
  } catch (error) {
    if (hasCode(error, 'EACCES')) return false
    throw error
  }
}
