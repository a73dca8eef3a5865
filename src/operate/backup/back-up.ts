/**
 * Makes a backup: the database at one moment, then every file that it refers to at that moment, then the
 * description.
 */
import { Readable } from 'node:stream'
import { SettingsError } from '../../lib/settings/error.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { version } from '../../lib/version.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { newBackupName, type Place } from './backup-place.ts'
import { decodeList } from './blob-list.ts'
import { verifyDump } from './check-before-restore.ts'
import { copyListed, findMissingListed, type Missing, type Progress } from './copy-listed.ts'
import { type Description, descriptionFile, type StoredFile, writeDescription } from './description.ts'
import { type Dumped, dumpDatabase } from './dump.ts'
import { BackupError } from './error.ts'
import { type FoundBackup, readDescription } from './find-backup.ts'
import { backUpKey } from './key.ts'
import { readPacked } from './packed.ts'
import { type Pruned, prune } from './prune.ts'
import type { Source } from './source.ts'
import { whileHeld } from './while-held.ts'

export type BackUp = {
  settings: Settings
  source: Source
  /** The files of sites, and where they are, for people. */
  store: { blobs: BlobStore; location: string }
  place: Place
  /** Whether the files are copied, or only listed. */
  files: 'copied' | 'referenced'
  withKey: boolean
  /** How many whole backups are kept; undefined: all. */
  keep: number | undefined
  /** The older backups that may be removed; undefined: all in the place. */
  made?: readonly string[] | undefined
  nowMs: number
  signal: AbortSignal
  progress: Progress
}

export type BackedUp = {
  backup: string
  description: Description
  /** Files that were not there yet. */
  copied: { files: number; bytes: number }
  pruned: Pruned
  /** The names of all backups in the place now, whole or not. */
  there: string[]
}

/**
 * Makes a backup, and then removes those that are not to be kept. What was written is removed when it fails,
 * except for the files of sites, which the next backup uses.
 * @throws BackupError; SettingsError; AppError `store_unavailable`; the signal's reason when it aborts.
 */
export async function backUp(work: BackUp): Promise<BackedUp> {
  const { source, store, place, files, nowMs, signal } = work
  if (files === 'referenced' && !store.blobs.isShared)
    throw new SettingsError('Only files in a bucket (SVC_BLOBS) can be backed up by reference.')
  await place.removeLeft()
  const backup = newBackupName(nowMs)
  try {
    const { dumped, copied } = await whileHeld(source.hold, signal, async (held) => {
      const dumped = await source.onSnapshot((session) =>
        dumpDatabase({ ...work, backup, signal: held }, session),
      )
      await claim(place, dumped.installation)
      return { dumped, copied: await copyFiles(work, backup, dumped.list, held) }
    })
    if (work.withKey) await backUpKey(work.settings, place, backup, dumped.keyCheck)
    const description = describe(work, dumped, copied.missing)
    const text = Buffer.from(writeDescription(description))
    await verify(work, { backup, description }, copied.missing)
    signal.throwIfAborted()
    await place.write(backup, descriptionFile, Readable.from([text]))
    await readDescription(place, backup)
    const pruned = await pruneIfWanted(work, backup)
    return {
      backup,
      description,
      copied: { files: copied.copied, bytes: copied.bytes },
      pruned,
      there: await place.list(),
    }
  } catch (error) {
    if (!(await place.has(backup, descriptionFile).catch(() => true)))
      await place.removeAll(backup).catch(() => {})
    throw error
  }
}

/** @throws BackupError for a place with the backups of another installation. */
async function claim({ blobs, location }: Place, installation: string): Promise<void> {
  const owner = await blobs.readOwner()
  if (owner === undefined) await blobs.setOwner(installation)
  else if (owner !== installation)
    throw new BackupError(
      `${location} has backups of installation ${owner}, and this is another: name another place.`,
    )
}

type Copied = { copied: number; bytes: number; missing: Missing }

async function copyFiles(
  { store, place, files, progress }: BackUp,
  backup: string,
  list: StoredFile & { count: number; blobBytes: number },
  signal: AbortSignal,
): Promise<Copied> {
  const { count, blobBytes, ...file } = list
  const listed = decodeList(readPacked(place, backup, file))
  if (files === 'referenced') {
    progress.begin('Looking for', count, blobBytes)
    const missing = await findMissingListed(store.blobs, listed, { signal, progress })
    return { copied: 0, bytes: 0, missing }
  }
  progress.begin('Copying', count, blobBytes)
  const stores = { from: store.blobs, to: place.blobs }
  return copyListed({ ...stores, list: listed, verifiesExisting: false, signal, progress })
}

function describe(
  { source, store, files, withKey, nowMs }: BackUp,
  dumped: Dumped,
  missing: Missing,
): Description {
  const { keyCheck, list, ...database } = dumped
  const { count, blobBytes, ...listFile } = list
  return {
    format: 1,
    svc: version,
    ...database,
    taken_at: new Date(nowMs).toISOString(),
    engine: source.engine,
    encryption_key: { check: keyCheck, included: withKey },
    files: {
      kept: files,
      location: store.location,
      count,
      bytes: blobBytes,
      missing: missing.objects,
      missing_count: missing.count,
      list: listFile,
    },
  }
}

/**
 * Reads what was written again, before the backup counts as one.
 * @throws BackupError that names a damaged file, or the number of those of sites that are not there.
 */
async function verify(
  { place, files, signal, progress }: BackUp,
  found: FoundBackup,
  known: Missing,
): Promise<void> {
  await verifyDump({ place, signal, progress }, found)
  if (files === 'referenced') return
  const listed = decodeList(readPacked(place, found.backup, found.description.files.list))
  const missing = await findMissingListed(place.blobs, listed, { signal, progress })
  if (missing.count > known.count)
    throw new BackupError(
      `${missing.count - known.count} files of sites did not arrive in ${place.location}.`,
    )
}

async function pruneIfWanted({ place, keep, made, nowMs, signal }: BackUp, backup: string): Promise<Pruned> {
  if (keep === undefined) return { backups: 0, files: 0 }
  return prune(place, { keep, made: made && [...made, backup], nowMs, signal })
}
