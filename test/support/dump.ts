/** Everything that a node's database holds, as text. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { TestNode } from './node.ts'

const texts = z.object({ rows: z.array(z.object({ text: z.string() })) })

/** All rows of all tables, but for when keys were last used. */
export async function dumpTables(node: TestNode): Promise<Record<string, string[]>> {
  const { db } = node.installation.store
  const rowsOf = (result: unknown) =>
    (Array.isArray(result) ? texts.shape.rows.parse([...result]) : texts.parse(result).rows).map(
      ({ text }) => text,
    )
  const tables = rowsOf(
    await db.execute(
      sql`select table_name as text from information_schema.tables where table_schema = 'public'`,
    ),
  )
  if (!tables.includes('deployments')) throw new Error('This is no dump of the database.')
  const dumps = tables.map(async (table) => {
    const rows = await db.execute(
      sql`select (to_jsonb(row) - 'last_used_ms')::text as text from ${sql.identifier(table)} as row order by 1`,
    )
    return [table, rowsOf(rows)]
  })
  return Object.fromEntries(await Promise.all(dumps))
}
