/** Opens an installation: data directory, keys, database, blobs. */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../lib/log/logger.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { checkEncryptionKey } from '../../platform/teams/set-up.ts'
import { checkBelonging } from '../../stores/blobs/belonging.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { CacheIndex } from '../../stores/blobs/cache/cache-index.ts'
import { createLosses, forgetLost } from '../../stores/blobs/lost-objects.ts'
import { checkUsable, openBlobStore } from '../../stores/blobs/open-store.ts'
import { type Clock, followDatabase } from '../../stores/clock/follow-database.ts'
import { type DiskReserve, diskReserveOf } from '../../stores/data-dir/disk-reserve.ts'
import { deriveKey, loadEncryptionKey } from '../../stores/data-dir/encryption-key.ts'
import { explainUnopenedEmbedded, explainUnusable } from '../../stores/data-dir/explain-unusable.ts'
import { lockDataDirectory } from '../../stores/data-dir/lock.ts'
import { beginTenure, findTenure, type Tenure, tenuresOf } from '../../stores/data-dir/tenures.ts'
import { unpackDatabase } from '../../stores/data-dir/unpack-database.ts'
import { explainUnopened } from '../../stores/db/explain-unopened.ts'
import { type OpenDatabase, openPglite, openPostgres } from '../../stores/db/open-database.ts'
import { createStore, type Store } from '../../stores/db/store.ts'
import { settleRestore } from '../backup/end-broken-restore.ts'
import { createParts, type Parts } from './parts.ts'

export type Installation = {
  store: Store
  blobs: BlobStore
  /** The same without a cache. */
  origin: BlobStore
  /** Where the blobs are, for people. */
  blobLocation: string
  /** The index of the cache in front of the blobs, if there is one. */
  cacheIndex: CacheIndex | undefined
  /** The tenure of the data directory that this node holds; undefined where no file says it. */
  tenure: Tenure | undefined
  /** The reserve of the data directory's disk. */
  disk: DiskReserve
  keys: {
    env: Buffer
    uploads: Buffer
    edgeCookies: Buffer
    sessions: Buffer
    webhooks: Buffer
    secondFactors: Buffer
    passkeys: Buffer
    certificates: Buffer
    check: Buffer
  }
  /** The clock; on a database shared by nodes, the database's. */
  nowMs: Clock['nowMs']
  close(): Promise<void>
}

/** The embedded database uses it too. */
const ownClock: Clock = { nowMs: Date.now, stop: () => {} }

type Options = { isChecked?: boolean; log?: Pick<Logger, 'info' | 'warn'> }

/**
 * Locks the data directory, opens the stores, migrates the schema, and checks that blobs and database belong
 * together, unless the caller is about to decide that. `log` has migrations, and when the database does not
 * respond.
 * @throws DataDirectoryInUseError, SettingsError (also where the database can't be reached, or the data
 * directory not be used), or the database's own error.
 */
export function openInstallation(settings: Settings, options: Options = {}): Promise<Installation> {
  return withDataDirectory(settings, () => open(settings, options))
}

/** Runs what uses the data directory. @throws SettingsError where it can't be used; what `work` throws. */
export async function withDataDirectory<T>(
  { SVC_DATA_DIR: directory }: Pick<Settings, 'SVC_DATA_DIR'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainUnusable(error, directory)
  }
}

async function open(settings: Settings, { isChecked = true, log }: Options): Promise<Installation> {
  const directory = settings.SVC_DATA_DIR
  const lock = await lockDataDirectory(directory)
  const parts = createParts(rethrow)
  parts.add({ close: () => lock.release() })
  try {
    await settleRestore(settings)
    const master = masterKeyOf(settings) ?? (await loadEncryptionKey(directory))
    const database = parts.add(await openDatabase(settings, log))
    const tenure = await beginTenure(tenuresOf(directory))
    const installation = await openStores(settings, { master, database, parts, tenure })
    const { store, blobs, blobLocation: location, keys } = installation
    await checkEncryptionKey(store.db, keys.check)
    // A name server needs no blobs.
    if (settings.SVC_ROLES.some((role) => role !== 'dns')) {
      await checkUsable({ blobs, location })
      if (isChecked) await checkBelonging({ db: store.db, blobs, location })
    }
    return installation
  } catch (error) {
    await parts.close()
    throw error
  }
}

/**
 * Opens the stores of an installation on PostgreSQL beside another process of the node, which holds the data
 * directory, has migrated and checked, and keeps `cacheIndex`.
 * @throws the database's own error when it can't be reached.
 */
export async function joinInstallation(
  settings: Settings,
  cacheIndex: CacheIndex,
  log: Options['log'],
): Promise<Installation> {
  const { DATABASE_URL: url, SVC_DATABASE_CONNECTIONS: connections } = settings
  const master = masterKeyOf(settings)
  if (url === undefined || !master) throw new Error('Only processes on PostgreSQL share an installation.')
  const parts = createParts(rethrow)
  try {
    const database = parts.add(openPostgres(url, connections, log))
    const tenure = await findTenure(tenuresOf(settings.SVC_DATA_DIR))
    return await openStores(settings, { master, database, parts, cacheIndex, tenure })
  } catch (error) {
    await parts.close()
    throw error
  }
}

type Opening = {
  master: Buffer
  database: OpenDatabase
  parts: Parts
  cacheIndex?: CacheIndex
  tenure: Tenure | undefined
}

async function openStores(
  settings: Settings,
  { master, database, parts, cacheIndex, tenure }: Opening,
): Promise<Installation> {
  const clock = database.engine === 'postgres' ? await followDatabase(database.db) : ownClock
  parts.add({ close: () => clock.stop() })
  const store = await createStore(database)
  const origins = { losses: createLosses(store), tenure }
  const opened = parts.add(await openBlobStore(settings, cacheIndex, origins))
  const stopForgetting = forgetLost(store, opened.origin)
  parts.add({ close: async () => stopForgetting() })
  return {
    store,
    blobs: opened.blobs,
    origin: opened.origin,
    blobLocation: opened.location,
    cacheIndex: opened.cacheIndex,
    tenure,
    disk: diskReserveOf(settings),
    keys: {
      env: deriveKey(master, 'env'),
      uploads: deriveKey(master, 'uploads'),
      edgeCookies: deriveKey(master, 'edge-cookies'),
      sessions: deriveKey(master, 'sessions'),
      webhooks: deriveKey(master, 'webhooks'),
      secondFactors: deriveKey(master, 'second-factors'),
      passkeys: deriveKey(master, 'passkeys'),
      certificates: deriveKey(master, 'certificates'),
      check: deriveKey(master, 'check'),
    },
    nowMs: clock.nowMs,
    close: parts.close,
  }
}

function masterKeyOf({ SVC_ENCRYPTION_KEY: key }: Settings): Buffer | undefined {
  return key === undefined ? undefined : Buffer.from(key, 'base64')
}

function rethrow(error: unknown): never {
  throw error
}

async function openDatabase(
  { DATABASE_URL: url, SVC_DATABASE_CONNECTIONS: connections, SVC_DATA_DIR: directory }: Settings,
  log: Options['log'],
): Promise<OpenDatabase> {
  if (url === undefined) return openEmbedded(directory, log)
  const database = openPostgres(url, connections, log)
  try {
    await database.migrate()
    return database
  } catch (error) {
    await database.close()
    throw explainUnopened(error, url)
  }
}

async function openEmbedded(directory: string, log: Options['log']): Promise<OpenDatabase> {
  const place = join(directory, 'db')
  try {
    await prepareEmbedded(place)
    const database = await openPglite(place, log)
    try {
      await database.migrate()
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    throw await explainUnopenedEmbedded(error, { directory, database: place })
  }
}

/**
 * Creates the embedded database aside and renames it into place, so that an interrupted first start leaves
 * none.
 */
async function prepareEmbedded(directory: string): Promise<void> {
  const made = await stat(directory).catch(() => undefined)
  if (made) return
  const draft = `${directory}.new`
  await rm(draft, { recursive: true, force: true })
  if (!(await unpackDatabase(draft))) await (await openPglite(draft)).close()
  await rename(draft, directory)
}
