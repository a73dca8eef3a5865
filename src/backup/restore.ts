/** Restores a backup: the files first, then the database, which makes the installation whole. */
import { placeOf } from '../blobs/belonging.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Settings } from '../settings/variables.ts'
import { decodeList } from './blob-list.ts'
import { copyListed, findMissingListed, type Missing, type Progress } from './copy-listed.ts'
import type { Description } from './description.ts'
import { BackupError } from './error.ts'
import { type FoundBackup, findBackup } from './find.ts'
import { planKey } from './key.ts'
import { countMigrations, loadDatabase } from './load.ts'
import { readPacked, verifyFile } from './packed.ts'
import type { Place } from './place.ts'
import { targetOf } from './restore-database.ts'

export type Restore = {
  settings: Settings
  place: Place
  /** Where the files of sites go, and where that is, for people. */
  store: { blobs: BlobStore; location: string }
  /** For temporary files, on the file system of the data directory. */
  scratch: string
  /** The backup's name; undefined: the newest. */
  backup: string | undefined
  /** Whether an installation that is there is replaced. */
  replace: boolean
  /** Whether to restore although files of sites are missing or damaged. */
  incomplete: boolean
  /** Whether to do without the encryption key of the backup. */
  newKey: boolean
  signal: AbortSignal
  progress: Progress
}

export type Restored = {
  backup: string
  description: Description
  copied: { files: number; bytes: number }
  /** Files of sites that are missing now. */
  missing: Missing
  /** Whether what the lost key had encrypted is gone. */
  secretsLost: boolean
}

/**
 * Restores into the database and the blob store of the settings; no node may run on them. When it is broken off, it can be
 * repeated: until the end, nodes refuse to start on what is there.
 * @throws BackupError that says why, before anything but added files is changed; AppError `store_unavailable`; the signal's reason.
 */
export async function restore(work: Restore): Promise<Restored> {
  const { settings, place, store, scratch, signal, progress } = work
  const found = await findBackup(place, work.backup)
  const { backup, description } = found
  countMigrations(description)
  const target = targetOf(settings, scratch)
  await target.refuseNodes()
  if (!work.replace) await refuseUsed(target.isUsed, work, description)
  if (description.files.kept === 'referenced' && !store.blobs.isShared)
    throw new BackupError(
      `The files of this backup are in ${description.files.location}: set SVC_BLOBS to that bucket.`,
    )
  const key = await planKey(settings, { place, ...found }, work)
  await verifyDump(work, found)
  const { copied, missing } = await restoreFiles(work, found)
  await key.place()
  await store.blobs.setOwner(description.installation)
  const files = await placeOf(store)
  await target.replace((session) =>
    loadDatabase({ place, backup, description, files, newKey: key.newKey, signal, progress }, session),
  )
  return { backup, description, copied, missing, secretsLost: key.newKey !== undefined }
}

const replaceHint = 'Restore into another, or replace it with --replace.'

async function refuseUsed(
  isUsed: () => Promise<boolean>,
  { store: { blobs, location } }: Restore,
  { installation }: Description,
): Promise<void> {
  if (await isUsed()) throw new BackupError(`The database already has an installation. ${replaceHint}`)
  const owner = await blobs.readOwner()
  if (owner === installation || (owner === undefined && (await blobs.isEmpty()))) return
  throw new BackupError(
    `There are files of ${owner === undefined ? 'something else' : 'another installation'} in ${location}. ${replaceHint}`,
  )
}

/** Before anything is changed. */
async function verifyDump(
  { place, signal, progress }: Restore,
  { backup, description }: FoundBackup,
): Promise<void> {
  const { tables, files } = description
  const all = [...tables, files.list]
  progress.begin(
    'Verifying the backup:',
    all.length,
    all.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  for (const file of all) {
    signal.throwIfAborted()
    await verifyFile(place, backup, file)
    progress.add(1, file.bytes)
  }
}

async function restoreFiles(
  { place, store, incomplete, signal, progress }: Restore,
  { backup, description }: FoundBackup,
): Promise<Pick<Restored, 'copied' | 'missing'>> {
  const { files, installation } = description
  const list = decodeList(readPacked(place, backup, files.list))
  // From now on, no node starts with another database on them, and this can be repeated.
  if ((await store.blobs.readOwner()) === undefined) await store.blobs.setOwner(installation)
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
      `${missing.count - files.missing_count} files of sites are missing or damaged, so the database was not restored. ` +
        `--incomplete restores all others.\n${unexpected.map((object) => `${where}/${object}`).join('\n')}`,
    )
  }
  return { copied: { files: copied.copied, bytes: copied.bytes }, missing }
}
