/** Opens an installation: data directory, keys, database, blobs. */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkEncryptionKey } from '../auth/set-up.ts'
import { checkBelonging } from '../blobs/belonging.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { createFileBlobStore } from '../blobs/file-store.ts'
import { type Clock, followDatabase } from '../clock/follow-database.ts'
import { deriveKey, loadEncryptionKey } from '../data-dir/encryption-key.ts'
import { lockDataDirectory } from '../data-dir/lock.ts'
import { unpackDatabase } from '../data-dir/unpack-database.ts'
import { type OpenDatabase, openPglite, openPostgres } from '../db/open.ts'
import { createStore, type Store } from '../db/store.ts'
import type { Settings } from '../settings/variables.ts'
import { createParts } from './parts.ts'

export type Installation = {
  store: Store
  blobs: BlobStore
  keys: {
    env: Buffer
    uploads: Buffer
    edgeCookies: Buffer
    sessions: Buffer
    webhooks: Buffer
    check: Buffer
  }
  /** The clock; on a database shared by nodes, the database's. */
  nowMs: Clock['nowMs']
  close(): Promise<void>
}

/** The directory of blobs. */
export function blobDirectory({ SVC_DATA_DIR }: Pick<Settings, 'SVC_DATA_DIR'>): string {
  return join(SVC_DATA_DIR, 'blobs')
}

/** The embedded database uses it too. */
const ownClock: Clock = { nowMs: Date.now, stop: () => {} }

/**
 * Locks the data directory, opens the stores, migrates the schema, and checks that blobs and database belong together,
 * unless the caller is about to decide that.
 * @throws DataDirectoryInUseError, SettingsError, or the database's own error when it can't be reached.
 */
export async function openInstallation(
  settings: Settings,
  { isChecked = true }: { isChecked?: boolean } = {},
): Promise<Installation> {
  const directory = settings.SVC_DATA_DIR
  const lock = await lockDataDirectory(directory)
  const parts = createParts((error) => {
    throw error
  })
  parts.add({ close: () => lock.release() })
  try {
    const master = settings.SVC_ENCRYPTION_KEY
      ? Buffer.from(settings.SVC_ENCRYPTION_KEY, 'base64')
      : await loadEncryptionKey(directory)
    const database = parts.add(await openDatabase(settings, join(directory, 'db')))
    const clock = database.engine === 'postgres' ? await followDatabase(database.db) : ownClock
    parts.add({ close: () => clock.stop() })
    const store = await createStore(database)
    const check = deriveKey(master, 'check')
    await checkEncryptionKey(store.db, check)
    const blobs = await createFileBlobStore(blobDirectory(settings))
    if (isChecked) await checkBelonging({ db: store.db, blobs, directory: blobDirectory(settings) })
    return {
      store,
      blobs,
      keys: {
        env: deriveKey(master, 'env'),
        uploads: deriveKey(master, 'uploads'),
        edgeCookies: deriveKey(master, 'edge-cookies'),
        sessions: deriveKey(master, 'sessions'),
        webhooks: deriveKey(master, 'webhooks'),
        check,
      },
      nowMs: clock.nowMs,
      close: parts.close,
    }
  } catch (error) {
    await parts.close()
    throw error
  }
}

async function openDatabase(
  { DATABASE_URL: url, SVC_DATABASE_CONNECTIONS: connections }: Settings,
  directory: string,
): Promise<OpenDatabase> {
  if (url === undefined) await prepareEmbedded(directory)
  const database = url === undefined ? await openPglite(directory) : openPostgres(url, connections)
  try {
    await database.migrate()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Creates the embedded database aside and renames it into place, so that an interrupted first start leaves none. */
async function prepareEmbedded(directory: string): Promise<void> {
  const made = await stat(directory).catch(() => undefined)
  if (made) return
  const draft = `${directory}.new`
  await rm(draft, { recursive: true, force: true })
  if (!(await unpackDatabase(draft))) await (await openPglite(draft)).close()
  await rename(draft, directory)
}
