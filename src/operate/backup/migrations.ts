/** The migrations of this program: up to which one a database is migrated, and which tables they make. */
import { z } from 'zod'
import { type Migration, readMigrations } from '../../stores/db/migrations.ts'
import { BackupError } from './error.ts'
import type { Session, Table } from './session.ts'

/** The schema and the table in which Drizzle keeps which migrations a database has. */
const journalTable = '"drizzle"."__drizzle_migrations"'

/**
 * The name of the last migration of the database, which has to be this program's last one.
 * @throws BackupError if it is another.
 */
export async function checkMigrated(session: Session): Promise<string> {
  const madeMs = await lastMigrated(session)
  const last = readMigrations().at(-1)
  if (last?.madeMs === madeMs) return last.name
  throw new BackupError(
    (last?.madeMs ?? 0) < madeMs
      ? 'The database was migrated by a newer version of svc: run the backup with that version.'
      : 'The database is from an older version of svc: ' +
          'run the backup with that version, or start a node of this one first.',
  )
}

/** When the last migration that the database has was made; 0 without any. */
export async function lastMigrated(session: Session): Promise<number> {
  const [journal] = await session.rows('select to_regclass($1) is not null as made', [journalTable])
  if (journal?.made !== true) return 0
  const [found] = await session.rows(`select max(created_at)::text as when from ${journalTable}`)
  return Number(found?.when ?? 0)
}

/** Applies migrations, and records them as Drizzle does. */
export async function applyMigrations(session: Session, migrations: Migration[]): Promise<void> {
  await session.run('create schema if not exists "drizzle"')
  await session.run(
    `create table if not exists ${journalTable} ` +
      '(id serial primary key, hash text not null, created_at bigint)',
  )
  for (const { statements, sha256, madeMs } of migrations) {
    // Nobody else uses these tables, and within a transaction no index can be built beside others.
    for (const statement of statements) await session.run(statement.replace(/\bconcurrently\b/i, ''))
    await session.run(`insert into ${journalTable} (hash, created_at) values ('${sha256}', ${madeMs})`)
  }
}

/** The names of the tables that the migrations make, whether or not a later one drops them. */
function ownTables(): Set<string> {
  const texts = readMigrations().flatMap(({ statements }) => statements)
  return new Set(texts.flatMap((text) => /^\s*CREATE TABLE "(\w+)"/.exec(text)?.[1] ?? []))
}

/** The tables of the database that are this program's, with their stored columns. */
export async function listTables(session: Session): Promise<Table[]> {
  const rows = await session.rows(`
    select relname as name, json_agg(attname order by attnum)::text as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`)
  const own = ownTables()
  const tables = rows.map((row) => tableSchema.parse(row))
  return tables.filter(({ name }) => own.has(name))
}

const tableSchema = z.object({
  name: z.string(),
  columns: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
})

/** Drops all that the migrations made, and nothing else. */
export async function dropAll(session: Session): Promise<void> {
  for (const schema of ['powerdns', 'drizzle']) await session.run(`drop schema if exists "${schema}" cascade`)
  for (const name of ownTables()) await session.run(`drop table if exists "public"."${name}" cascade`)
}
