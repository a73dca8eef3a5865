/** Puts the database of a backup in the place of what is there: all of it at once, or nothing. */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackDatabase } from '../data-dir/unpack-database.ts'
import { migrationLock } from '../db/migrate.ts'
import type { Settings } from '../settings/variables.ts'
import { BackupError } from './error.ts'
import { onPglite } from './pglite-session.ts'
import { readPostgres, writePostgres } from './postgres-session.ts'
import type { Session } from './session.ts'

export type Target = {
  /** Throws BackupError while nodes run on it. */
  refuseNodes(): Promise<void>
  /** Whether an installation is in it. */
  isUsed(): Promise<boolean>
  /** Replaces the database by what `load` makes of it. */
  replace(load: (session: Session) => Promise<void>): Promise<void>
}

/** The database of the settings. No node may use it meanwhile; temporary files are kept in `scratch`. */
export function targetOf({ DATABASE_URL: url, SVC_DATA_DIR: directory }: Settings, scratch: string): Target {
  return url === undefined ? embeddedTarget(join(directory, 'db'), scratch) : postgresTarget(url)
}

/** Made aside, and renamed into its place: on the same file system. */
function embeddedTarget(directory: string, scratch: string): Target {
  const isThere = async () => (await stat(directory).catch(() => undefined)) !== undefined
  return {
    // Who holds the data directory is alone with it.
    refuseNodes: async () => {},
    async isUsed() {
      if (!(await isThere())) return false
      return onPglite(directory, hasInstallation).catch((cause: unknown) => {
        throw new BackupError(`The database in ${directory} can't be opened: --replace replaces it.`, {
          cause,
        })
      })
    },
    async replace(load) {
      const [made, replaced] = [join(scratch, 'restored'), join(scratch, 'replaced')]
      // Where its migrations are those of the backup, most of the work is done.
      await unpackDatabase(made)
      await onPglite(made, load)
      if (await isThere()) await rename(directory, replaced)
      await rename(made, directory)
      await rm(replaced, { recursive: true, force: true })
    },
  }
}

function postgresTarget(url: string): Target {
  return {
    refuseNodes: () => readPostgres(url, refuseNodes),
    isUsed: () => readPostgres(url, hasInstallation),
    replace: (load) =>
      writePostgres(
        url,
        async (session) => {
          // A node that starts waits with its migrations, and then finds the restored database.
          await session.rows('select pg_advisory_lock($1::bigint)::text', [String(migrationLock)])
          await refuseNodes(session)
        },
        load,
      ),
  }
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
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'svc'",
    )
    if (Number(found?.count) === 0) return
    if (waitedMs >= waitMs)
      throw new BackupError('Nodes are connected to the database: stop all of them first.')
    await sleep(pollMs)
  }
}
