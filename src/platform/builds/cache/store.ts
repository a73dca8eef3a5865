/** The build caches of a node, on its disk. One process at a time uses a directory of them. */
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { makeDirectory } from '../../../lib/make-directory.ts'
import type { DiskReserve } from '../../../stores/data-dir/disk-reserve.ts'
import { removeTree } from '../../sandbox/remove-tree.ts'
import type { Part } from './cached-paths.ts'
import {
  addGeneration,
  type Description,
  type Generation,
  listGenerations,
  namesIn,
  noteUse,
  readGeneration,
  treeName,
} from './generations.ts'

/** Whose cache it is. `line` is the name of production's directory or a branch's. */
export type Slot = { teamId: string; projectId: string; line: string; part: Part }

/** A cache that stays as it is until it is released. */
export type HeldCache = Description & { tree: string; release(): Promise<void> }

/** A directory for files that become a cache, or are discarded. */
export type NewTree = { directory: string; tree: string }

export type CacheStore = {
  /** The most that one cache may have, in bytes. */
  maxBytes: number
  /** The current cache, which counts as used now; undefined if there is none. */
  hold(slot: Slot, nowMs: number): Promise<HeldCache | undefined>
  newTree(): Promise<NewTree>
  discard(made: NewTree): Promise<void>
  /** Makes it the current cache, and removes what the team then has beyond its bounds. */
  save(slot: Slot, made: NewTree, description: Description, nowMs: number): Promise<void>
  /** Removes a cache. */
  drop(slot: Slot): Promise<void>
  /** The ids of all projects with caches. */
  projects(): Promise<string[]>
  /** Removes caches of these projects, and all that were last used before; resolves to their number. */
  sweep(isGone: (projectId: string) => boolean, usedBeforeMs: number): Promise<number>
  /** Whether the disk has space for so much more. */
  hasSpace(bytes: number): Promise<boolean>
  /** Resolves when nothing is being removed. */
  close(): Promise<void>
}

/** How many caches a team may have: each branch has up to three. */
const maxCaches = 150

/** The most of a team's space for one cache. */
const share = 0.5

const incoming = 'incoming-'

/** Opens the caches below `root`, without what a process that died has left. */
export async function openCacheStore(
  root: string,
  { teamBytes, disk }: { teamBytes: number; disk: DiskReserve },
): Promise<CacheStore> {
  await makeDirectory(root)
  for (const name of await namesIn(root)) if (name.startsWith(incoming)) await removeTree(join(root, name))
  const holds = new Map<string, number>()
  const removals = new Set<Promise<void>>()
  // What looks at a cache and what removes one must not meet; all of it is short.
  const oneByOne = pLimit(1)
  const placeOf = ({ teamId, projectId, line, part }: Slot) => join(root, teamId, projectId, line, part)
  const newName = () => join(root, `${incoming}${randomBytes(12).toString('hex')}`)

  /** Takes a generation away at once; its files are removed beside other work. */
  async function takeAway(directory: string): Promise<void> {
    const away = newName()
    await rename(directory, away)
    // What is left of it is removed at the next start.
    const removal = removeTree(away)
      .catch(() => {})
      .finally(() => removals.delete(removal))
    removals.add(removal)
  }

  /** The current generation. Removes others and damaged ones, if nobody reads them. */
  async function currentIn(place: string): Promise<Generation | undefined> {
    let current: Generation | undefined
    for (const directory of await listGenerations(place)) {
      const found = current === undefined ? await readGeneration(directory) : undefined
      if (found) current = found
      else if (!holds.has(directory)) await takeAway(directory)
    }
    return current
  }

  async function release(place: string, directory: string): Promise<void> {
    const left = (holds.get(directory) ?? 1) - 1
    if (left > 0) holds.set(directory, left)
    else holds.delete(directory)
    await oneByOne(() => currentIn(place))
  }

  async function placesOf(teamId: string, projectId: string): Promise<string[]> {
    const project = join(root, teamId, projectId)
    const found: string[] = []
    for (const line of await namesIn(project))
      for (const part of await namesIn(join(project, line))) found.push(join(project, line, part))
    return found
  }

  async function currentOf(places: string[]): Promise<Generation[]> {
    const found: Generation[] = []
    for (const place of places) {
      const current = await currentIn(place)
      if (current) found.push(current)
    }
    return found
  }

  async function keepWithinBounds(teamId: string): Promise<void> {
    const places: string[] = []
    for (const project of await namesIn(join(root, teamId))) places.push(...(await placesOf(teamId, project)))
    const found = await currentOf(places)
    let bytes = 0
    let count = 0
    for (const each of found.sort((a, b) => b.usedMs - a.usedMs)) {
      const isTooMuch = bytes + each.bytes > teamBytes || count === maxCaches
      if (isTooMuch && !holds.has(each.directory)) await takeAway(each.directory)
      else {
        bytes += each.bytes
        count += 1
      }
    }
  }

  async function sweepProject(
    { teamId, projectId }: Pick<Slot, 'teamId' | 'projectId'>,
    isUnused: (generation: Generation) => boolean,
  ): Promise<number> {
    const places = await placesOf(teamId, projectId)
    let removed = 0
    for (const each of await currentOf(places)) {
      if (holds.has(each.directory) || !isUnused(each)) continue
      await takeAway(each.directory)
      removed += 1
    }
    await removeIfEmpty([
      ...places,
      ...places.map((place) => join(place, '..')),
      join(root, teamId, projectId),
      join(root, teamId),
    ])
    return removed
  }

  async function owners(): Promise<Pick<Slot, 'teamId' | 'projectId'>[]> {
    const found: Pick<Slot, 'teamId' | 'projectId'>[] = []
    for (const teamId of (await namesIn(root)).filter((name) => !name.startsWith(incoming)))
      for (const projectId of await namesIn(join(root, teamId))) found.push({ teamId, projectId })
    return found
  }

  return {
    maxBytes: Math.floor(teamBytes * share),
    hold: (slot, nowMs) =>
      oneByOne(async () => {
        const place = placeOf(slot)
        const current = await currentIn(place)
        if (!current) return undefined
        const { directory, key, bytes } = current
        await noteUse(directory, nowMs)
        holds.set(directory, (holds.get(directory) ?? 0) + 1)
        return { key, bytes, tree: join(directory, treeName), release: () => release(place, directory) }
      }),
    async newTree() {
      const directory = newName()
      const tree = join(directory, treeName)
      await mkdir(tree, { recursive: true, mode: 0o700 })
      return { directory, tree }
    },
    discard: ({ directory }) => removeTree(directory),
    save: (slot, { directory }, description, nowMs) =>
      oneByOne(async () => {
        await addGeneration(placeOf(slot), directory, description, nowMs)
        await keepWithinBounds(slot.teamId)
      }),
    drop: (slot) =>
      oneByOne(async () => {
        const current = await currentIn(placeOf(slot))
        if (current && !holds.has(current.directory)) await takeAway(current.directory)
      }),
    projects: async () => (await owners()).map(({ projectId }) => projectId),
    async sweep(isGone, usedBeforeMs) {
      let removed = 0
      for (const owner of await owners()) {
        const isUnused = ({ usedMs }: Generation) => isGone(owner.projectId) || usedMs < usedBeforeMs
        removed += await oneByOne(() => sweepProject(owner, isUnused))
      }
      return removed
    },
    hasSpace: async (bytes) => (await disk.freeBytes()) >= bytes,
    async close() {
      await Promise.all(removals)
    },
  }
}

async function removeIfEmpty(directories: string[]): Promise<void> {
  // Not empty, or gone already.
  for (const directory of new Set(directories)) await rmdir(directory).catch(() => {})
}

/** Removes all caches below `root`. */
export async function removeCaches(root: string): Promise<void> {
  await removeTree(root)
}
