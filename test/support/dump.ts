/** The contents of a node's database as text. */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { TestNode } from './node.ts'

const cells = z.array(z.object({ name: z.string(), text: z.string() }))

/**
 * The rows of all tables, by table, without the times at which keys were last used and the clock was last
 * seen; with `words` only rows that contain one of these.
 */
export async function dumpTables(node: TestNode, words?: string[]): Promise<Record<string, string[]>> {
  const tables = await read(
    node,
    sql`select table_name as name, '' as text from information_schema.tables where table_schema = 'public'`,
  )
  const names = tables.map(({ name }) => name)
  if (!names.includes('deployments')) throw new Error('This is no dump of the database.')
  const rowsOf = (table: string) =>
    sql`
      select ${table}::text as name, (to_jsonb(row) - 'last_used_ms' - 'seen_ms')::text as text
      from ${sql.identifier(table)} as row`
  const all = sql.join(names.map(rowsOf), sql` union all `)
  const found = await read(node, sql`select * from (${all}) as rows ${holding(words)} order by 1, 2`)
  const byTable: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (const { name, text } of found) byTable[name]?.push(text)
  return byTable
}

function holding(words: string[] | undefined): SQL {
  if (words === undefined) return sql``
  return sql`where ${sql.join(
    words.map((word) => sql`position(${word} in text) > 0`),
    sql` or `,
  )}`
}

/** The two databases return results in different wrappers. */
async function read(node: TestNode, query: SQL): Promise<z.infer<typeof cells>> {
  const result: unknown = await node.installation.store.db.execute(query)
  return cells.parse(Array.isArray(result) ? [...result] : z.object({ rows: z.unknown() }).parse(result).rows)
}
