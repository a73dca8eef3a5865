/**
 * Switches the owner of the files, the encryption key and the embedded database from one installation to
 * another, of which all is complete beside the old, and back. Each step can be repeated, so that either way
 * can be finished after any of them.
 */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { syncDirectory } from '../../stores/blobs/sync-directory.ts'
import { encryptionKeyPath } from '../../stores/data-dir/encryption-key.ts'
import { type Restoring, removeRestoring, writeRestoring } from './restore-state.ts'

export type Switching = { restoring: Restoring; directory: string; blobs: BlobStore }

/** Where the new encryption key is before it is switched, if there is a new one in the data directory. */
export function restoredKeyPath(directory: string): string {
  return `${encryptionKeyPath(directory)}.restored`
}

/** Where the embedded database is, and where the new and the old one are while they are switched. */
export function databasePaths(directory: string) {
  const path = join(directory, 'db')
  return { path, restored: `${path}.restored`, replaced: `${path}.replaced` }
}

/** To the new installation. What is written is written first: renaming needs no space. */
export async function switchOver({ restoring, directory, blobs }: Switching): Promise<void> {
  await setOwner(blobs, restoring.installation)
  const key = encryptionKeyPath(directory)
  if (await isThere(restoredKeyPath(directory))) {
    // A key is never deleted: something else may be encrypted with it.
    if (await isThere(key)) await rename(key, join(directory, restoring.keyAside))
    await rename(restoredKeyPath(directory), key)
  }
  const { path, restored, replaced } = databasePaths(directory)
  if (restoring.engine === 'pglite' && (await isThere(restored))) {
    if (await isThere(path)) await rename(path, replaced)
    await rename(restored, path)
  }
  await syncDirectory(directory)
}

/** Ends what `switchOver` has done: from then on there is no way back. */
export async function endSwitch({ directory }: Pick<Switching, 'directory'>): Promise<void> {
  // A database that stays there costs space, no more; the next restore removes it.
  await discardPrepared(directory).catch(() => {})
  await removeRestoring(directory)
}

/** Back to the old installation, or to none. */
export async function switchBack({ restoring, directory, blobs }: Switching): Promise<void> {
  const { path, restored, replaced } = databasePaths(directory)
  if (restoring.engine === 'pglite' && (await isThere(replaced))) {
    if (await isThere(path)) await rename(path, restored)
    await rename(replaced, path)
  }
  const [key, aside] = [encryptionKeyPath(directory), join(directory, restoring.keyAside)]
  if (await isThere(aside)) {
    if (await isThere(key)) await rename(key, restoredKeyPath(directory))
    await rename(aside, key)
  }
  await syncDirectory(directory)
  if (restoring.ownerBefore !== null) await setOwner(blobs, restoring.ownerBefore)
  if (restoring.isFirst) await writeRestoring(directory, { ...restoring, phase: 'building' })
  else await removeRestoring(directory)
  await discardPrepared(directory)
}

/** Removes what is beside the installation that is there. */
export async function discardPrepared(directory: string): Promise<void> {
  await rm(restoredKeyPath(directory), { force: true })
  const { path, restored, replaced } = databasePaths(directory)
  await rm(restored, { recursive: true, force: true })
  if (await isThere(path)) await rm(replaced, { recursive: true, force: true })
}

/** Whether there is such a file or directory. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function setOwner(blobs: BlobStore, installation: string): Promise<void> {
  if ((await blobs.readOwner()) !== installation) await blobs.setOwner(installation)
}
