/** The checks before a restore changes anything. */
import type { Settings } from '../../lib/settings/variables.ts'
import type { Description } from './description.ts'
import { BackupError } from './error.ts'
import type { FoundBackup } from './find-backup.ts'
import type { Wanted } from './free-space.ts'
import { unpackedBytes, verifyFile } from './packed.ts'
import { alreadyUsed, type Target } from './restore-database.ts'
import type { Restore } from './restore-types.ts'

const replaceHint = 'Restore into another, or replace it with --replace.'

/** @throws BackupError where another installation is in the database, or owns the files. */
export async function refuseUsed(
  target: Target,
  { store: { blobs, location } }: Restore,
  { installation }: Description,
): Promise<void> {
  if (await target.isUsed()) throw new BackupError(alreadyUsed)
  const owner = await blobs.readOwner()
  if (owner === installation || (owner === undefined && (await blobs.isEmpty()))) return
  throw new BackupError(
    `There are files of ${owner === undefined ? 'something else' : 'another installation'} ` +
      `in ${location}. ${replaceHint}`,
  )
}

/**
 * Verifies the dump of the database, and returns how many bytes of rows there are.
 * @throws BackupError that names a damaged file.
 */
export async function verifyDump(
  { place, signal, progress }: Pick<Restore, 'place' | 'signal' | 'progress'>,
  { backup, description }: FoundBackup,
): Promise<number> {
  const { tables, files } = description
  const bytes = [...tables, files.list].reduce((sum, file) => sum + file.bytes, 0)
  progress.begin('Verifying the backup:', tables.length + 1, bytes)
  let rowBytes = 0
  for (const table of tables) {
    signal.throwIfAborted()
    rowBytes += await unpackedBytes(place, backup, table)
    progress.add(1, table.bytes)
  }
  await verifyFile(place, backup, files.list)
  progress.add(1, files.list.bytes)
  return rowBytes
}

/** The space that so many bytes of rows take in the data directory, if the database is there. */
export function spaceForDatabase(
  target: Target,
  { SVC_DATA_DIR: directory }: Settings,
  rowBytes: number,
): Wanted[] {
  const bytes = target.spaceFor(rowBytes)
  return bytes === 0 ? [] : [{ directory, bytes, what: 'the database' }]
}
