/**
 * What tests start from instead of a first start: a schema, and nothing that one installation would share
 * with another.
 */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { z } from 'zod'
import { type OpenDatabase, openPglite, openPostgres } from '../../../src/stores/db/open-database.ts'
import { createDatabase } from '../../support/databases.ts'
import { prepareDataDirectory } from '../../support/template.ts'

const countSchema = z.array(z.object({ table: z.string(), rows: z.coerce.number() }))

/** The tables with rows in them, and the number of tables. */
async function tablesOf({ db }: OpenDatabase): Promise<{ tables: number; filled: string[] }> {
  const answer: unknown = await db.execute(sql`
    select tablename as table, (xpath('/row/n/text()', query_to_xml(
      format('select count(*) as n from public.%I', tablename), false, true, '')))[1]::text as rows
    from pg_tables where schemaname = 'public'`)
  const counts = countSchema.parse(
    Array.isArray(answer) ? [...answer] : z.object({ rows: z.unknown() }).parse(answer).rows,
  )
  return { tables: counts.length, filled: counts.filter(({ rows }) => rows > 0).map(({ table }) => table) }
}

async function expectOnlyTables(database: OpenDatabase): Promise<void> {
  try {
    const { tables, filled } = await tablesOf(database)
    expect(tables).toBeGreaterThan(10)
    expect(filled).toEqual([])
  } finally {
    await database.close()
  }
}

it.runIf(process.env.TEST_ON)('a template database on PostgreSQL has tables, and no rows', async () => {
  const database = await createDatabase(String(process.env.TEST_ON))
  try {
    await expectOnlyTables(openPostgres(database.url, 1))
  } finally {
    await database.drop()
  }
})

it.skipIf(process.env.TEST_ON)(
  'a template data directory contains only a database of tables, without rows',
  async () => {
    const directory = join(inject('directory'), randomUUID().slice(0, 8))
    await prepareDataDirectory(directory)
    expect(await readdir(directory)).toEqual(['db'])
    await expectOnlyTables(await openPglite(join(directory, 'db')))
  },
)
