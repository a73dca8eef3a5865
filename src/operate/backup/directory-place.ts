/** Backups in a directory. */
import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { createFileBlobStore } from '../../stores/blobs/file-store.ts'
import { streamFile } from '../../stores/blobs/stream-file.ts'
import { syncDirectory } from '../../stores/blobs/sync-directory.ts'
import { createDiskReserve, type DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import { openRegular } from './open-regular.ts'
import { isBackupName, measured, missingFile, type Place, type Written } from './place.ts'

/**
 * Opens it, creating it if need be. Its disk keeps `reserveBytes` free, as `createDiskReserve` takes them.
 * @throws the error of the file system.
 */
export async function openDirectoryPlace(directory: string, reserveBytes?: number): Promise<Place> {
  await makeDirectory(directory)
  const disk = createDiskReserve(directory, reserveBytes)
  const pathOf = (backup: string, file: string) => join(directory, backup, file)
  return {
    location: directory,
    blobs: await createFileBlobStore(join(directory, 'blobs'), disk),

    async list() {
      return (await readdir(directory)).filter(isBackupName).sort()
    },

    has: (backup, file) =>
      access(pathOf(backup, file)).then(
        () => true,
        () => false,
      ),

    async *read(backup, file) {
      const path = pathOf(backup, file)
      try {
        yield* streamFile(path, undefined, () => openRegular(join(directory, backup), file))
      } catch (error) {
        throw hasCode(error, 'ENOENT') ? missingFile(path) : error
      }
    },

    async write(backup, file, source) {
      const path = pathOf(backup, file)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomBytes(8).toString('hex')}`
      try {
        const written = await writeSynced(draft, source, disk)
        await rename(draft, path)
        for (const each of [dirname(path), join(directory, backup), directory]) await syncDirectory(each)
        return written
      } finally {
        await rm(draft, { force: true })
      }
    },

    remove: (backup, file) => rm(pathOf(backup, file), { force: true }),
    removeAll: (backup) => rm(join(directory, backup), { recursive: true, force: true }),
    close: async () => {},
  }
}

async function writeSynced(
  path: string,
  source: AsyncIterable<Uint8Array>,
  disk: DiskReserve,
): Promise<Written> {
  let written: Written = { bytes: 0, sha256: '' }
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of measured(source, (ended) => (written = ended))) {
      await disk.require()
      await file.writeFile(chunk)
    }
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}
