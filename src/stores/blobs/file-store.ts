/** Blobs as files: written under a temporary name, synced, then renamed into the team's directory. */
import { stat as statOf } from 'node:fs'
import { mkdir, open, opendir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { diskFull, unreserved } from '../data-dir/disk-reserve.ts'
import type { Tenure } from '../data-dir/tenures.ts'
import type { BlobIdentity, BlobStore, RecordedObject } from './blob-store.ts'
import { ObjectDamaged } from './damaged.ts'
import { directoryIdOf } from './directory-id.ts'
import { newIncomingName, removeLeftIncoming } from './incoming.ts'
import { ObjectMissing } from './missing.ts'
import { isObject, newObjectName } from './object-identity.ts'
import { readOwnerFile, writeOwnerFile } from './owner-file.ts'
import type { Part } from './part.ts'
import { readLazily } from './read-lazily.ts'
import { readObjectFile } from './read-object-file.ts'
import { streamFile } from './stream-file.ts'
import { syncDirectory } from './sync-directory.ts'
import { createTrash } from './trash.ts'
import { storeUnavailable } from './unavailable.ts'
import { createVerifiedFiles } from './verified-files.ts'
import { verifyBytes } from './verify-bytes.ts'

const listBatch = 500

/**
 * Opens the store in `directory`, creating it if need be, without what writers left that died; what `disk`
 * keeps free is left alone. `tenure` is that of the lock under which this process writes.
 */
export async function createFileBlobStore(
  directory: string,
  disk = unreserved,
  tenure?: Tenure,
): Promise<BlobStore> {
  const incoming = join(directory, 'incoming')
  const teams = join(directory, 'teams')
  await makeDirectory(incoming)
  await makeDirectory(teams)
  await syncDirectory(directory)
  await removeLeftIncoming(incoming, tenure)

  const trash = createTrash(join(directory, 'trash'), teams)
  const pathOf = (object: string) => join(teams, object)
  const knownTeams = new Set<string>()
  const verified = createVerifiedFiles()

  async function makeTeamDirectory(teamId: string): Promise<void> {
    if (knownTeams.has(teamId)) return
    await mkdir(join(teams, teamId), { recursive: true, mode: 0o700 })
    await syncDirectory(teams)
    knownTeams.add(teamId)
  }

  async function write(
    object: string,
    expected: BlobIdentity,
    source: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const temporary = join(incoming, await newIncomingName(tenure))
    const [teamId = ''] = object.split('/')
    try {
      await disk.require(expected.size)
      await makeTeamDirectory(teamId)
      await writeSynced(temporary, verifyBytes(expected, source), disk)
      await rename(temporary, pathOf(object))
      await syncDirectory(join(teams, teamId))
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {})
      throw asUnavailable(error)
    }
  }

  async function* listWritten(beforeMs: number): AsyncGenerator<string[]> {
    for await (const team of await opendir(teams)) {
      for await (const batch of filesOlderThan(join(teams, team.name), beforeMs)) {
        yield batch.map((name) => `${team.name}/${name}`)
      }
    }
  }

  async function* listOlderThan(beforeMs: number): AsyncGenerator<string[]> {
    for await (const batch of filesOlderThan(incoming, beforeMs)) {
      for (const name of batch) await rm(join(incoming, name), { force: true })
    }
    yield* listWritten(beforeMs)
  }

  /** Calls `use` with the object's file, which may have to be restored from the trash first. */
  async function withFile<T>(object: string, use: (path: string) => Promise<T>): Promise<T> {
    try {
      return await use(pathOf(object))
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      if (await trash.takeBack(object)) return use(pathOf(object))
      // Where the store's own directory is gone, such as with its disk, all of it is away.
      throw (await isThere(teams)) ? new ObjectMissing(object, 'the data directory', error) : error
    }
  }

  async function read(object: string): Promise<Buffer> {
    const bytes = await withFile(object, (path) => readFile(path))
    if (!isObject(object, bytes)) throw new ObjectDamaged(object)
    return bytes
  }

  async function* bytesOf(object: string, part?: Part): AsyncGenerator<Buffer> {
    const file = await withFile(object, (path) => open(path))
    try {
      yield* readObjectFile(file, object, part, verified)
    } finally {
      await file.close()
    }
  }

  async function findMissing(objects: RecordedObject[]): Promise<string[]> {
    const found = await Promise.all(objects.map(({ object }) => sizeOf(pathOf(object))))
    const missing: string[] = []
    for (const [index, { object, size }] of objects.entries()) {
      if (found[index] === size) continue
      const isBack = await trash.takeBack(object)
      if (!isBack || (await sizeOf(pathOf(object))) !== size) missing.push(object)
    }
    return missing
  }

  async function isEmpty(): Promise<boolean> {
    for await (const team of await opendir(teams)) {
      for await (const _ of await opendir(join(teams, team.name))) return false
    }
    return true
  }

  return {
    isShared: false,
    ...trash,
    write,
    async put(teamId, expected, source) {
      const object = newObjectName(teamId, expected.sha256)
      await write(object, expected, source)
      return object
    },
    recorded: () => {},
    sizeOf: (object) => sizeOf(pathOf(object)).catch(rethrowUnavailable),
    async sizesOf(objects) {
      const sizes = new Map<string, number>()
      const add = async (object: string) => {
        const size = await sizeOf(pathOf(object))
        if (size !== undefined) sizes.set(object, size)
      }
      await Promise.all(objects.map(add)).catch(rethrowUnavailable)
      return sizes
    },
    list: () => listWritten(Number.POSITIVE_INFINITY),
    read: (object) => read(object).catch(rethrowUnavailable),
    stream: (object, part) => readLazily(bytesOf(object, part)),
    streamRaw: (object) =>
      streamFile(pathOf(object), undefined, () => withFile(object, (path) => open(path))),
    remove: (object) => rm(pathOf(object), { force: true }).catch(rethrowUnavailable),
    listOlderThan,
    forget: () => {},
    findMissing: (objects) => findMissing(objects).catch(rethrowUnavailable),
    isEmpty,
    readOwner: () => readOwnerFile(directory),
    setOwner: (installation) => writeOwnerFile(directory, installation),
    directUploads: async () => undefined,
    directoryId: () => directoryIdOf(directory),
    async check() {
      const probe = join(incoming, await newIncomingName(tenure))
      try {
        await writeSynced(probe, [Buffer.from('probe')])
        await unlink(probe)
      } catch (error) {
        throw asUnavailable(error)
      }
    },
  }
}

async function writeSynced(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  disk = unreserved,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of source) {
      await disk.require()
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

async function isThere(directory: string): Promise<boolean> {
  return (await stat(directory).catch(() => undefined)) !== undefined
}

/**
 * Undefined for a missing file, and for what would make a reader wait, such as a pipe. With a callback, since
 * a thousand promises would double the cost.
 */
function sizeOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    statOf(path, (error, found) => {
      if (error && error.code !== 'ENOENT') reject(error)
      else resolve(error === null && found.isFile() ? found.size : undefined)
    })
  })
}

async function* filesOlderThan(directory: string, beforeMs: number): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const entry of await opendir(directory)) {
    const found = await stat(join(directory, entry.name)).catch(() => undefined)
    if (!found || found.mtimeMs >= beforeMs) continue
    batch.push(entry.name)
    if (batch.length === listBatch) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Failures of the disk, as opposed to those of the bytes or of the sender. */
const diskFailures = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
])

/** An error of the disk as AppError `store_unavailable` or `disk_full`; others as they are. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  if (!diskFailures.has(error.code)) return error
  return error.code === 'ENOSPC' || error.code === 'EDQUOT' ? diskFull(error) : storeUnavailable(error)
}

function rethrowUnavailable(error: unknown): never {
  throw asUnavailable(error)
}
