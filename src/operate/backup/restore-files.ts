/** Restores the files of sites, beside those that are there. */
import { decodeList } from './blob-list.ts'
import { copyListed, findMissingListed } from './copy-listed.ts'
import { BackupError } from './error.ts'
import type { FoundBackup } from './find-backup.ts'
import { spaceOf, type Wanted } from './free-space.ts'
import { readPacked } from './packed.ts'
import type { Restore, Restored } from './restore-types.ts'

/** The space for files of the backup that aren't there yet, where they are kept in a directory. */
export async function spaceForFiles(
  { place, store, signal }: Restore,
  { backup, description: { files } }: FoundBackup,
): Promise<Wanted[]> {
  if (store.blobs.isShared) return []
  let bytes = 0
  for await (const batch of decodeList(readPacked(place, backup, files.list))) {
    signal.throwIfAborted()
    const sizes = await store.blobs.sizesOf(batch.map(({ object }) => object))
    for (const { object, size } of batch) if (sizes.get(object) !== size) bytes += spaceOf(size)
  }
  return bytes === 0 ? [] : [{ directory: store.location, bytes, what: 'files of sites' }]
}

/**
 * Copies them, or looks for them where the backup only lists them.
 * @throws BackupError that names those that are missing.
 */
export async function restoreFiles(
  { place, store, incomplete, signal, progress }: Restore,
  { backup, description }: FoundBackup,
): Promise<Pick<Restored, 'copied' | 'missing'>> {
  const { files } = description
  const list = decodeList(readPacked(place, backup, files.list))
  progress.begin(files.kept === 'copied' ? 'Restoring' : 'Looking for', files.count, files.bytes)
  const { missing, ...copied } =
    files.kept === 'copied'
      ? await copyListed({
          from: place.blobs,
          to: store.blobs,
          list,
          verifiesExisting: true,
          signal,
          progress,
        })
      : { copied: 0, bytes: 0, missing: await findMissingListed(store.blobs, list, { signal, progress }) }
  const known = new Set(files.missing)
  const unexpected = missing.objects.filter((object) => !known.has(object))
  if (missing.count > files.missing_count && !incomplete) {
    const where =
      files.kept === 'copied' ? `${place.location.replace(/\/$/, '')}/blobs/teams` : store.location
    throw new BackupError(
      `${missing.count - files.missing_count} files of sites are missing or damaged, ` +
        'so the database was not restored. ' +
        `--incomplete restores all others.\n${unexpected.map((object) => `${where}/${object}`).join('\n')}`,
    )
  }
  return { copied: { files: copied.copied, bytes: copied.bytes }, missing }
}
