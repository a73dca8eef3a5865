/** Backups in a directory. */
import { access, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import { createFileBlobStore } from '../../stores/blobs/file-store.ts'
import { isLeftByDead, newIncomingName } from '../../stores/blobs/incoming.ts'
import { streamFile } from '../../stores/blobs/stream-file.ts'
import { syncDirectory } from '../../stores/blobs/sync-directory.ts'
import { createDiskReserve, type DiskReserve, withinReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Tenure } from '../../stores/data-dir/tenures.ts'
import { isBackupName, measured, missingFile, type Place, type Written, writer } from './backup-place.ts'
import { descriptionFile } from './description.ts'
import { openRegular } from './open-regular.ts'

/**
 * Opens it, creating it if need be. Its disk keeps `reserveBytes` free, as `createDiskReserve` takes them.
 * `tenure` is that of the lock under which backups are made.
 * @throws the error of the file system.
 */
export async function openDirectoryPlace(
  directory: string,
  reserveBytes?: number,
  tenure?: Tenure,
): Promise<Place> {
  await makeDirectory(directory)
  const disk = createDiskReserve(directory, reserveBytes)
  const pathOf = (backup: string, file: string) => join(directory, backup, file)
  const list = async () => (await readdir(directory)).filter(isBackupName).sort()
  const marks = new Map<string, string>()

  /** Notes in a backup, once it has a file, which process makes it. */
  async function mark(backup: string): Promise<void> {
    if (marks.has(backup)) return
    const path = pathOf(backup, `${writer}${await newIncomingName(tenure)}`)
    await writeFile(path, '')
    marks.set(backup, path)
  }

  async function isLeft(backup: string): Promise<boolean> {
    const names = await readdir(join(directory, backup), { recursive: true })
    const writers = names.flatMap((name) => name.split(writer, 2)[1] ?? [])
    if (names.includes(descriptionFile) || writers.length === 0) return false
    const dead = await Promise.all(writers.map((name) => isLeftByDead(name, tenure)))
    return !dead.includes(false)
  }
  return {
    location: directory,
    blobs: await createFileBlobStore(join(directory, 'blobs'), disk, tenure),

    list,

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
      const draft = `${path}.${writer}${await newIncomingName(tenure)}`
      try {
        const written = await writeSynced(draft, source, disk)
        if (file !== descriptionFile) await mark(backup)
        await rename(draft, path)
        // With its description a backup is whole.
        if (file === descriptionFile) await rm(marks.get(backup) ?? draft, { force: true })
        for (const each of [dirname(path), join(directory, backup), directory]) await syncDirectory(each)
        return written
      } finally {
        await rm(draft, { force: true })
      }
    },

    remove: (backup, file) => rm(pathOf(backup, file), { force: true }),
    removeAll: (backup) => rm(join(directory, backup), { recursive: true, force: true }),
    async removeLeft() {
      for (const backup of await list())
        if (await isLeft(backup)) await rm(join(directory, backup), { recursive: true, force: true })
    },
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
    const whole = measured(withinReserve(disk, source), (ended) => (written = ended))
    for await (const chunk of whole) await file.writeFile(chunk)
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}
