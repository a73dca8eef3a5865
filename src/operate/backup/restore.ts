/** Restores a backup: all of it is made beside what is there, and then takes its place. */
import { rm } from 'node:fs/promises'
import { placeOf } from '../../stores/blobs/belonging.ts'
import { writeEncryptionKey } from '../../stores/data-dir/encryption-key.ts'
import { BrokenOff, describeState } from './broken-off.ts'
import { refuseUsed, spaceForDatabase, verifyDump } from './check-before-restore.ts'
import { settleSwitch } from './end-broken-restore.ts'
import { BackupError } from './error.ts'
import { type FoundBackup, findBackup } from './find-backup.ts'
import { refuseWithoutSpace } from './free-space.ts'
import { type KeyPlan, planKey } from './key.ts'
import { countMigrations, loadDatabase } from './load.ts'
import { type Target, targetOf } from './restore-database.ts'
import { restoreFiles, spaceForFiles } from './restore-files.ts'
import { type Restoring, readRestoring, writeRestoring } from './restore-state.ts'
import type { Restore, Restored } from './restore-types.ts'
import { endSwitch, restoredKeyPath, switchBack, switchOver } from './switch-over.ts'

/**
 * Restores into the database and the blob store of the settings; no node may run on them. When it is broken
 * off, what was there is as it was, or nodes say what to do, and it can be repeated.
 * @throws BackupError that says why, before anything is changed; later BrokenOff, whose cause is a
 * BackupError, AppError `store_unavailable`, the database's or the disk's error, or the signal's reason.
 */
export async function restore(work: Restore): Promise<Restored> {
  const { settings, place, store, scratch } = work
  const found = await findBackup(place, work.backup)
  const { description } = found
  countMigrations(description)
  const target = targetOf(settings, { scratch, replace: work.replace })
  await target.refuseNodes()
  if (!work.replace) await refuseUsed(target, work, description)
  if (description.files.kept === 'referenced' && !store.blobs.isShared)
    throw new BackupError(
      `The files of this backup are in ${description.files.location}: set SVC_BLOBS to that bucket.`,
    )
  const key = await planKey(settings, { place, ...found }, work)
  const rowBytes = await verifyDump(work, found)
  await refuseWithoutSpace([
    ...spaceForDatabase(target, settings, rowBytes),
    ...(await spaceForFiles(work, found)),
  ])
  const command = commandOf(work, found)
  try {
    return await build(work, { found, target, key, command })
  } catch (cause) {
    const state = await describeState(settings.SVC_DATA_DIR, { command, location: store.location })
    throw new BrokenOff(state, { cause })
  }
}

function commandOf({ place, replace, incomplete, newKey }: Restore, { backup }: FoundBackup): string {
  const flags = [replace && '--replace', incomplete && '--incomplete', newKey && '--new-key']
  const where = /^[\w./:@%+-]+$/.test(place.location)
    ? place.location
    : `'${place.location.replaceAll("'", "'\\''")}'`
  return ['svc admin restore', where, `--backup ${backup}`, ...flags].filter(Boolean).join(' ')
}

type Building = { found: FoundBackup; target: Target; key: KeyPlan; command: string }

async function build(work: Restore, { found, target, key, command }: Building): Promise<Restored> {
  const { settings, place, store, signal, progress } = work
  const { backup, description } = found
  const directory = settings.SVC_DATA_DIR
  const restoring: Restoring = {
    command,
    phase: 'building',
    isFirst: !(await target.isThere()),
    engine: target.engine,
    transaction: null,
    location: store.location,
    ownerBefore: (await store.blobs.readOwner()) ?? null,
    installation: description.installation,
    keyAside: `encryption.key.replaced-${Date.now()}`,
  }
  if (restoring.isFirst) {
    await writeRestoring(directory, restoring)
    // From now on, no node starts with another database on them, also one of another machine.
    if (restoring.ownerBefore === null) await store.blobs.setOwner(description.installation)
  }
  const files = await placeOf(store)
  const loading = { place, backup, description, files, newKey: key.newKey, signal, progress }
  await target.build((session) => loadDatabase(loading, session))
  // The space that the database takes is known now.
  await refuseWithoutSpace(await spaceForFiles(work, found))
  const { copied, missing } = await restoreFiles(work, found)
  if (key.placed !== undefined) await prepareKey(directory, key.placed)
  const switchAll = async (transaction: string | null) => {
    signal.throwIfAborted()
    const switching = { ...restoring, phase: 'switching', transaction } as const
    await writeRestoring(directory, switching)
    await switchOver({ restoring: switching, directory, blobs: store.blobs })
  }
  await target
    .replace((session) => loadDatabase(loading, session), switchAll)
    .catch((error: unknown) => undoUnlessDone(work, error))
  await endSwitch({ directory })
  return { backup, description, copied, missing, secretsLost: key.newKey !== undefined }
}

async function prepareKey(directory: string, key: Buffer): Promise<void> {
  const path = restoredKeyPath(directory)
  await rm(path, { force: true })
  await writeEncryptionKey(path, key)
}

/** Throws `error` after undoing what was switched, unless the database has committed. */
async function undoUnlessDone({ settings, store: { blobs } }: Restore, error: unknown): Promise<void> {
  const directory = settings.SVC_DATA_DIR
  const restoring = await readRestoring(directory)
  if (restoring?.phase !== 'switching') throw error
  const isDone =
    restoring.engine === 'postgres' && (await settleSwitch(settings, restoring).catch(() => undefined))
  if (isDone) return
  if (restoring.engine === 'pglite') await switchBack({ restoring, directory, blobs }).catch(() => {})
  throw error
}
