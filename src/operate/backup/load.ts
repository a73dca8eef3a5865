/** Builds a database from a backup: the schema as it was, the rows, then the migrations since. */
import type { FilesPlace } from '../../stores/blobs/belonging.ts'
import { type Migration, readMigrations } from '../../stores/db/migrations.ts'
import type { Place } from './backup-place.ts'
import type { Progress } from './copy-listed.ts'
import type { Description, StoredTable } from './description.ts'
import { BackupError } from './error.ts'
import { forgetSecrets } from './forget-secrets.ts'
import { applyMigrations, dropAll, lastMigrated, listTables } from './migrations.ts'
import { readPacked } from './packed.ts'
import { quoted, type Session } from './session.ts'

export type Loading = {
  place: Place
  backup: string
  description: Description
  /** Where the files are from now on. */
  files: FilesPlace
  /** Another encryption key than that of the backup: what was encrypted with that one is removed. */
  newKey: Buffer | undefined
  signal: AbortSignal
  progress: Progress
}

/**
 * How many migrations a backup's database had.
 * @throws BackupError if this program doesn't know the last of them.
 */
export function countMigrations({ migration, svc }: Description): number {
  const count = readMigrations().findIndex(({ name }) => name === migration) + 1
  if (count > 0) return count
  throw new BackupError(
    `The backup was made by svc ${svc}, whose database is newer: ` +
      'restore it with that version, or a later one.',
  )
}

/**
 * Replaces all that is this program's in the session's database.
 * @throws BackupError that names a damaged file; the database's own errors. The database is useless then.
 */
export async function loadDatabase(loading: Loading, session: Session): Promise<void> {
  const { description, progress, signal } = loading
  const migrations = readMigrations()
  const known = countMigrations(description)
  if (!(await isEmptyAt(session, migrations[known - 1]))) {
    await dropAll(session)
    await applyMigrations(session, migrations.slice(0, known))
  }
  await checkTables(session, description)
  const foreignKeys = await dropForeignKeys(session)
  progress.begin('Loading the database:', description.tables.length, 0)
  for (const table of description.tables) {
    signal.throwIfAborted()
    await loadTable(loading, session, table)
    progress.add(1, 0)
  }
  for (const statement of foreignKeys) await session.run(statement)
  for (const { name, value } of description.sequences)
    await session.rows('select setval($1::regclass, $2::bigint)', [quoted(name), value])
  await applyMigrations(session, migrations.slice(known))
  const { bucket, directory, directoryPlace } = loading.files
  await session.rows(
    'update installation_id set ' +
      'bucket = nullif($1, $4), directory = nullif($2, $4), directory_place = nullif($3, $4)',
    [bucket ?? '', directory ?? '', directoryPlace ?? '', ''],
  )
  if (loading.newKey !== undefined) await forgetSecrets(session, loading.newKey)
}

/** Whether all that is left to do is to add rows. */
async function isEmptyAt(session: Session, migration: Migration | undefined): Promise<boolean> {
  if ((await lastMigrated(session)) !== migration?.madeMs) return false
  const tables = await listTables(session)
  const anyRow = tables.map(({ name }) => `exists (select from ${quoted(name)})`).join(' or ')
  const [found] = await session.rows(`select ${anyRow} as used`)
  return found?.used === false
}

/** The same tables with the same columns, since both come from the same migrations. */
async function checkTables(session: Session, { tables, migration }: Description): Promise<void> {
  const shape = (all: { name: string; columns: string[] }[]) =>
    all.map(({ name, columns }) => `${name} (${columns.join(', ')})`)
  const made = new Set(shape(await listTables(session)))
  const stored = new Set(shape(tables))
  const added = [...stored].find((each) => !made.has(each))
  const lacking = [...made].find((each) => !stored.has(each))
  if (added === undefined && lacking === undefined) return
  const flaw = added === undefined ? `lacks ${lacking}` : `has ${added}`
  throw new BackupError(`The backup ${flaw}, which is not what the migrations up to ${migration} make.`)
}

/**
 * Tables reference each other in circles. Returns the statements that add the keys again, which checks them.
 */
async function dropForeignKeys(session: Session): Promise<string[]> {
  const keys = await session.rows(`
    select conname as name, relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and connamespace = 'public'::regnamespace order by conname`)
  return Promise.all(
    keys.map(async ({ name, table, definition }) => {
      const alter = `alter table ${quoted(String(table))}`
      await session.run(`${alter} drop constraint ${quoted(String(name))}`)
      return `${alter} add constraint ${quoted(String(name))} ${String(definition)}`
    }),
  )
}

const lineFeed = 10

async function loadTable(
  { place, backup, signal }: Loading,
  session: Session,
  stored: StoredTable,
): Promise<void> {
  const { name, columns, rows, ...file } = stored
  let loaded = 0
  async function* counted() {
    for await (const chunk of readPacked(place, backup, file)) {
      signal.throwIfAborted()
      for (const byte of chunk) if (byte === lineFeed) loaded += 1
      yield chunk
    }
  }
  // PostgreSQL takes some 80 ms for each copy.
  if (rows > 0) await session.copyIn({ name, columns }, counted())
  else for await (const _ of counted());
  if (loaded !== rows) throw new BackupError(`${file.file} of ${backup} has ${loaded} rows, not ${rows}.`)
}
