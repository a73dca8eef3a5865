/**
 * Writes a database's rows to a backup: a compressed file for each table, and the list of the files of sites.
 */
import { z } from 'zod'
import type { Place } from './backup-place.ts'
import { encodeList, type ListedBlob, readBlobs } from './blob-list.ts'
import type { Progress } from './copy-listed.ts'
import { type Description, listFile, type StoredFile, type StoredTable, tableFile } from './description.ts'
import { BackupError } from './error.ts'
import { checkMigrated, listTables } from './migrations.ts'
import { writePacked } from './packed.ts'
import type { Session, Table } from './session.ts'

type Deps = { place: Place; backup: string; signal: AbortSignal; progress: Progress }

/** The part of the description that is in the database. */
export type Dumped = Pick<Description, 'migration' | 'installation' | 'tables' | 'sequences'> & {
  /** Derived from the encryption key of the database. */
  keyCheck: string
  list: StoredFile & { count: number; blobBytes: number }
}

const ownIdsSchema = z.object({ installation: z.string(), check: z.string() })

/**
 * Writes the rows that the session sees.
 * @throws BackupError when the database is not at this program's last migration, or no node has started on it
 * yet.
 */
export async function dumpDatabase(deps: Deps, session: Session): Promise<Dumped> {
  const migration = await checkMigrated(session)
  const [row] = await session.rows(
    'select value as installation, encryption_check as check from installation_id, installation',
  )
  const own = ownIdsSchema.safeParse(row)
  if (!own.success) throw new BackupError('The database is empty: no node has started on it yet.')
  const tables = await listTables(session)
  deps.progress.begin('Writing the database:', tables.length, 0)
  const stored: StoredTable[] = []
  for (const table of tables) {
    stored.push(await dumpTable(deps, session, table))
    deps.progress.add(1, 0)
  }
  return {
    migration,
    installation: own.data.installation,
    keyCheck: own.data.check,
    tables: stored,
    sequences: await readSequences(session),
    list: await dumpList(deps, session),
  }
}

const lineFeed = 10

async function dumpTable(
  { place, backup, signal }: Deps,
  session: Session,
  table: Table,
): Promise<StoredTable> {
  let rows = 0
  async function* counted() {
    for await (const chunk of session.copyOut(table)) {
      signal.throwIfAborted()
      for (const byte of chunk) if (byte === lineFeed) rows += 1
      yield chunk
    }
  }
  const file = await writePacked(place, backup, tableFile(table.name), counted())
  return { ...table, rows, ...file }
}

async function dumpList({ place, backup, signal }: Deps, session: Session): Promise<Dumped['list']> {
  let [count, blobBytes] = [0, 0]
  const note = (batch: ListedBlob[]) => {
    signal.throwIfAborted()
    count += batch.length
    blobBytes += batch.reduce((sum, { size }) => sum + size, 0)
  }
  const file = await writePacked(place, backup, listFile, encodeList(readBlobs(session), note))
  return { ...file, count, blobBytes }
}

/** Sequences don't belong to the snapshot: by now they may be ahead of its rows, which does no harm. */
async function readSequences(session: Session): Promise<Description['sequences']> {
  const rows = await session.rows(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`)
  return rows.map(({ name, value }) => ({ name: String(name), value: String(value) }))
}
