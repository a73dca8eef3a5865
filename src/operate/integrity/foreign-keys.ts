/** Rows that refer to a row that doesn't exist, against a foreign key: only a damaged database has them. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CheckDeps, Found } from './deps.ts'
import { findRows } from './find-rows.ts'
import type { RowCheck } from './row-checks.ts'

const keySchema = z.object({
  table: z.string(),
  parent: z.string(),
  columns: z.array(z.string()),
  parentColumns: z.array(z.string()),
  /** The primary key, which names the row. */
  own: z.array(z.string()),
})

/** The part of the check over all foreign keys of the database. */
export async function* checkForeignKeys(deps: CheckDeps): AsyncGenerator<Found[]> {
  for (const key of await listForeignKeys(deps)) yield* findRows(deps, checkOf(key))
}

async function listForeignKeys({ db }: CheckDeps): Promise<z.infer<typeof keySchema>[]> {
  const names = (relation: string, numbers: string) =>
    sql.raw(`(select json_agg(attname order by at) from unnest(${numbers}) with ordinality as key (number, at)
      join pg_attribute on attrelid = ${relation} and attnum = number)`)
  const keys = await db
    .select({
      table: sql`conrelid::regclass::text`,
      parent: sql`confrelid::regclass::text`,
      columns: names('conrelid', 'conkey'),
      parentColumns: names('confrelid', 'confkey'),
      own: names(
        'conrelid',
        '(select indkey::int2[] from pg_index where indrelid = conrelid and indisprimary)',
      ),
    })
    .from(sql`pg_constraint`)
    .where(sql`contype = 'f' and connamespace = 'public'::regnamespace`)
    .orderBy(sql`conname`)
  return keys.map((key) => keySchema.parse(key))
}

function checkOf({ table, parent, columns, parentColumns, own }: z.infer<typeof keySchema>): RowCheck {
  const column = (name: string, of: string) => sql`${sql.identifier(of)}.${sql.identifier(name)}`
  const isSet = columns.map((name) => sql`${column(name, table)} is not null`)
  // By another name, since a table may refer to itself.
  const isSame = parentColumns.map(
    (name, index) => sql`${column(name, 'parent')} = ${column(columns[index] ?? '', table)}`,
  )
  return {
    kind: 'reference_to_nothing',
    table,
    problem: sql`${sql.join(isSet, sql` and `)} and (
      select true from ${sql.identifier(parent)} as parent
      where ${sql.join(isSame, sql` and `)} limit 1) is null`,
    subject: sql`concat_ws(' ', ${sql.join(
      own.map((name) => column(name, table)),
      sql`, `,
    )})`,
    message: (subject) => `${subject} (${table}) refers to a row of ${parent} that does not exist.`,
  }
}
