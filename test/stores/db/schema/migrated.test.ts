/** Every change of the schema has a migration. */
import { readdirSync, readFileSync } from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { z } from 'zod'

const folder = new URL('../../../../src/stores/db/schema/', import.meta.url)
const snapshots = new URL('../../../../drizzle/meta/', import.meta.url)

const columnSchema = z.object({ name: z.string(), type: z.string(), notNull: z.boolean() })
const tableSchema = z.object({
  name: z.string(),
  columns: z.record(z.string(), columnSchema),
  indexes: z.record(z.string(), z.unknown()),
})

/** The columns and indexes of the schema, as lines. */
async function linesOfSchema(): Promise<string[]> {
  const modules = await Promise.all(
    readdirSync(folder).map((name): Promise<object> => import(new URL(name, folder).href)),
  )
  const tables = modules.flatMap((each) => Object.values(each)).filter((each) => is(each, PgTable))
  return tables.flatMap((table) => {
    const { name, columns, indexes } = getTableConfig(table)
    return [
      ...columns.map((column) => lineOf(name, { ...column, type: column.getSQLType() })),
      ...indexes.map(({ config }) => `${name}: index ${config.name}`),
    ]
  })
}

/** Those that the migrations make, as drizzle-kit has noted it down. */
function linesOfMigrations(): string[] {
  const [newest = ''] = readdirSync(snapshots).filter((name) => name.endsWith('_snapshot.json'))
  const { tables } = z
    .object({ tables: z.record(z.string(), tableSchema) })
    .parse(JSON.parse(readFileSync(new URL(newest, snapshots), 'utf8')))
  return Object.values(tables).flatMap(({ name, columns, indexes }) => [
    ...Object.values(columns).map((column) => lineOf(name, column)),
    ...Object.keys(indexes).map((index) => `${name}: index ${index}`),
  ])
}

function lineOf(table: string, { name, type, notNull }: z.infer<typeof columnSchema>): string {
  return `${table}: ${name} ${type}${notNull ? ' not null' : ''}`
}

it('has no column and no index that its migrations lack: `npm run db:generate` writes one', async () => {
  const [schema, migrated] = [await linesOfSchema(), linesOfMigrations()]
  expect(schema.length).toBeGreaterThan(500)
  expect(schema.filter((line) => !migrated.includes(line))).toEqual([])
  expect(migrated.filter((line) => !schema.includes(line))).toEqual([])
})
