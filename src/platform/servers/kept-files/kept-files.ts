/** The files of servers on the disk of a node. One process at a time uses a directory of them. */
import { rename, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../lib/errors.ts'
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import { type DiskReserve, diskFull, whileDiskHasSpace } from '../../../stores/data-dir/disk-reserve.ts'
import type { Database } from '../../../stores/db/database.ts'
import { isDiskFull } from '../../../stores/db/failures.ts'
import { removeTree } from '../../sandbox/remove-tree.ts'
import { directoryOf, findWritten, newName } from './find-written.ts'
import { findIdentities, findUndeleted, readKept } from './read-kept.ts'
import { writeKept } from './write-kept.ts'

/** Files that stay as they are until they are given back. */
type TakenFiles = { directory: string; giveBack(): void }

export type KeptFiles = {
  /**
   * The files of a kept manifest, which are fetched unless they are there: once, however many want them, and
   * as long as somebody does.
   * @throws AppError `deployment_not_found`, `disk_full` (also where all that may be on the disk is in use),
   * `store_unavailable`, `stopping`; the signal's reason when it aborts.
   */
  take(manifestId: number, signal: AbortSignal): Promise<TakenFiles>
  /** Removes those of deleted deployments, once nobody uses them; resolves to how many that are. */
  sweep(): Promise<number>
  /** Ends what is being fetched. Resolves when nothing is being written or removed. */
  close(): Promise<void>
}

/**
 * `blobs` is the store itself: through a cache, the files would be on the disk twice. `maxBytes` are those of
 * all files in `root`; those that nobody uses make room, the least recently used ones first.
 */
type Deps = {
  db: Database
  blobs: BlobStore
  root: string
  maxBytes: number
  disk: DiskReserve
  nowMs: () => number
}

/**
 * `isPlaced` once nothing stops the files from being there; `isGone` once their deployment is deleted;
 * `there` resolves to their directory.
 */
type Entry = {
  users: number
  usedMs: number
  bytes: number
  isPlaced: boolean
  isGone: boolean
  stop: AbortController
  there: Promise<string>
}

/** Opens the files below `root`, without what a process that died has left. */
export async function openKeptFiles({ db, blobs, root, maxBytes, disk, nowMs }: Deps): Promise<KeptFiles> {
  const entries = new Map<number, Entry>()
  const fetches = new Set<Promise<void>>()
  const removals = new Map<number, Promise<void>>()
  let isClosed = false

  function addEntry(id: number, part: Partial<Entry> & Pick<Entry, 'there'>): Entry {
    const entry = {
      ...{ users: 0, usedMs: nowMs(), bytes: 0, isPlaced: false, isGone: false },
      ...{ stop: new AbortController(), ...part },
    }
    entries.set(id, entry)
    return entry
  }

  /** Takes files away at once; what can't be removed is removed at the next start. */
  function remove(id: number, { there }: Entry): Promise<void> {
    entries.delete(id)
    const away = join(root, newName())
    const removal = there
      .then((directory) => rename(directory, away))
      .then(() => removeTree(away))
      .catch(() => {})
      .finally(() => removals.delete(id))
    removals.set(id, removal)
    return removal
  }

  /** Removes files that nobody uses until all fit. @throws AppError `disk_full` where they can't. */
  async function makeRoom(): Promise<void> {
    const isUnused = ({ users, isPlaced }: Entry) => users === 0 && isPlaced
    const sum = (some: Entry[]) => some.reduce((bytes, entry) => bytes + entry.bytes, 0)
    const all = [...entries.values()]
    let left = sum(all)
    if (left - sum(all.filter(isUnused)) > maxBytes) throw noRoom(maxBytes)
    const away: Promise<void>[] = []
    const unused = [...entries].filter(([, entry]) => isUnused(entry))
    for (const [id, entry] of unused.sort(([, a], [, b]) => a.usedMs - b.usedMs)) {
      if (left <= maxBytes) break
      left -= entry.bytes
      away.push(remove(id, entry))
    }
    await Promise.all(away)
  }

  function begin(id: number): Entry {
    const stop = new AbortController()
    const there = Promise.resolve().then(() => fetch(id, entry))
    const entry = addEntry(id, { stop, there })
    const settled = there
      .then(
        () => {},
        () => {
          if (entries.get(id) === entry) entries.delete(id)
        },
      )
      .finally(() => fetches.delete(settled))
    fetches.add(settled)
    return entry
  }

  async function fetch(id: number, entry: Entry): Promise<string> {
    const { signal } = entry.stop
    await removals.get(id)
    const manifest = await readKept(db, id)
    const identity = (await findIdentities(db, [id])).get(id)
    if (!manifest || !identity)
      throw new AppError('deployment_not_found', 'The deployment of these files was deleted.')
    signal.throwIfAborted()
    entry.bytes = identity.bytes
    await makeRoom()
    const part = join(root, newName())
    try {
      await disk.require(entry.bytes)
      await whileDiskHasSpace(disk, signal, (stop) => writeKept(blobs, manifest, part, stop))
      signal.throwIfAborted()
      entry.isPlaced = true
      const directory = directoryOf(root, id, identity)
      await rename(part, directory)
      return directory
    } catch (error) {
      await removeTree(part).catch(() => {})
      if (signal.aborted) throw signal.reason
      throw isDiskFull(error) ? diskFull(error) : error
    }
  }

  function leave(id: number, entry: Entry): void {
    entry.users -= 1
    entry.usedMs = nowMs()
    if (entry.users > 0 || entries.get(id) !== entry) return
    if (entry.isPlaced) {
      if (entry.isGone) void remove(id, entry)
      return
    }
    entries.delete(id)
    entry.stop.abort()
  }

  async function take(id: number, signal: AbortSignal): Promise<TakenFiles> {
    signal.throwIfAborted()
    if (isClosed) throw new AppError('stopping', 'The node is stopping.')
    const entry = entries.get(id) ?? begin(id)
    entry.users += 1
    try {
      const directory = await unlessAborted(entry.there, signal)
      // The next process looks at it; only the order of removal depends on it.
      await utimes(directory, nowMs() / 1_000, nowMs() / 1_000).catch(() => {})
      return { directory, giveBack: once(() => leave(id, entry)) }
    } catch (error) {
      leave(id, entry)
      throw error
    }
  }

  for (const { id, directory, bytes, usedMs } of await findWritten(db, root))
    addEntry(id, { bytes, usedMs, isPlaced: true, there: Promise.resolve(directory) })
  await makeRoom()
  return {
    take,
    async sweep() {
      const placed = [...entries].filter(([, { isPlaced }]) => isPlaced)
      const undeleted = await findUndeleted(
        db,
        placed.map(([id]) => id),
      )
      const gone = placed.filter(([id, entry]) => !undeleted.has(id) && entries.get(id) === entry)
      for (const [, entry] of gone) entry.isGone = true
      await Promise.all(gone.flatMap(([id, entry]) => (entry.users === 0 ? remove(id, entry) : [])))
      return gone.length
    },
    async close() {
      isClosed = true
      for (const { stop, isPlaced } of entries.values())
        if (!isPlaced) stop.abort(new AppError('stopping', 'The node is stopping.'))
      await Promise.all([...fetches, ...removals.values()])
    },
  }
}

function noRoom(maxBytes: number): AppError {
  return new AppError(
    'disk_full',
    `The files of running servers need all ${maxBytes} bytes that the node has for them ` +
      '(SVC_RUNTIME_DISK_BYTES). Try again later.',
  )
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Settles as the promise does, or rejects once the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
