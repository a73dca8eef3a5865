/** Puts the database of a backup in the place of what is there: all of it at once, or nothing. */
import { open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { unpackDatabase } from '../../stores/data-dir/unpack-database.ts'
import { migrationLock } from '../../stores/db/migrate.ts'
import { BackupError } from './error.ts'
import { onPglite } from './pglite-session.ts'
import { readPostgres, writePostgres } from './postgres-session.ts'
import type { Session } from './session.ts'
import { databasePaths, discardPrepared, isThere } from './switch-over.ts'

type Load = (session: Session) => Promise<void>

export type Target = {
  engine: 'pglite' | 'postgres'
  /** Throws BackupError while nodes run on it. */
  refuseNodes(): Promise<void>
  /** Whether an installation is in it. Throws BackupError where that can't be known. */
  isUsed(): Promise<boolean>
  /** Whether anything is in it that a node would start on. */
  isThere(): Promise<boolean>
  /** The bytes that its new content takes at least in the data directory, made of so many bytes of rows. */
  spaceFor(rowBytes: number): number
  /** Makes beside it, where that is possible, what `load` makes of an empty database. */
  build(load: Load): Promise<void>
  /**
   * Replaces it by what was built, or by what `load` makes of it. `switchAll` runs when nothing else is left
   * to do, with the transaction that is committed after it, if there is one. Throws BackupError where
   * somebody has made an installation meanwhile, unless that is to be replaced.
   */
  replace(load: Load, switchAll: (transaction: string | null) => Promise<void>): Promise<void>
}

/** How it is said that there is something to replace already. */
export const alreadyUsed =
  'The database already has an installation. Restore into another, or replace it with --replace.'

type Options = { scratch: string; replace: boolean }

/**
 * The database of the settings, whose installation, if there is one, is only to `replace`. No node may use it
 * meanwhile; temporary files are kept in `scratch`.
 */
export function targetOf(
  { DATABASE_URL: url, SVC_DATA_DIR: directory }: Settings,
  { scratch, replace }: Options,
): Target {
  return url === undefined ? embeddedTarget(directory, scratch) : postgresTarget(url, replace)
}

/**
 * An empty database with its first write-ahead logs, and rows in tables, their indexes and the logs.
 * Measured: 44 MB, 3 to 5.
 */
const emptyBytes = 44_000_000
const bytesPerRowByte = 2

function embeddedTarget(directory: string, scratch: string): Target {
  const { path, restored } = databasePaths(directory)
  return {
    engine: 'pglite',
    // Who holds the data directory is alone with it.
    refuseNodes: async () => {},
    async isUsed() {
      if (!(await isThere(path))) return false
      return onPglite(path, hasInstallation).catch((cause: unknown) => {
        throw new BackupError(`The database in ${path} can't be opened: --replace replaces it.`, { cause })
      })
    },
    isThere: () => isThere(path),
    spaceFor: (rowBytes) => emptyBytes + bytesPerRowByte * rowBytes,
    async build(load) {
      await discardPrepared(directory)
      const made = join(scratch, 'restored')
      // Where its migrations are those of the backup, most of the work is done.
      await unpackDatabase(made)
      await onPglite(made, load)
      await syncTree(made)
      await rename(made, restored)
    },
    replace: (_, switchAll) => switchAll(null),
  }
}

function postgresTarget(url: string, mayReplace: boolean): Target {
  return {
    engine: 'postgres',
    refuseNodes: () => readPostgres(url, refuseNodes),
    isUsed: () => readPostgres(url, hasInstallation),
    isThere: () => readPostgres(url, hasInstallation),
    spaceFor: () => 0,
    build: async () => {},
    replace: (load, switchAll) =>
      writePostgres(
        url,
        async (session) => {
          // A node that starts waits with its migrations, and then finds the restored database.
          await session.rows('select pg_advisory_lock($1::bigint)::text', [String(migrationLock)])
          await refuseNodes(session)
          // Another restore may have had the lock until now.
          if (!mayReplace && (await hasInstallation(session))) throw new BackupError(alreadyUsed)
        },
        async (session) => {
          await load(session)
          const [found] = await session.rows('select pg_current_xact_id()::text as id')
          await switchAll(String(found?.id))
        },
      ),
  }
}

const syncsAtOnce = 16

/** Makes the files below `directory` durable. */
async function syncTree(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  await inParallel([directory, ...paths], syncsAtOnce, async (path) => {
    const file = await open(path)
    await file.sync().finally(() => file.close())
  })
}

/** Whether a node has set the database up. */
async function hasInstallation(session: Session): Promise<boolean> {
  const [found] = await session.rows("select to_regclass('public.installation') is not null as made")
  if (found?.made !== true) return false
  const [used] = await session.rows(
    'select exists (select from installation) or exists (select from teams) as used',
  )
  return used?.used === true
}

/** The connections of a node that was killed may last a moment. */
const waitMs = 3_000
const pollMs = 200

async function refuseNodes(session: Session): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const [found] = await session.rows(
      'select count(*)::int as count from pg_stat_activity ' +
        "where datname = current_database() and application_name = 'svc'",
    )
    if (Number(found?.count) === 0) return
    if (waitedMs >= waitMs)
      throw new BackupError('Nodes are connected to the database: stop all of them first.')
    await sleep(pollMs)
  }
}
