/** Reads a table of any size in pages that take little time each, without an index. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'

/** The embedded database runs in the node's own thread. */
const goalMs = 30

/** Blocks of 8 KiB. */
const firstBlocks = 16
const maxBlocks = 4_096

/**
 * Calls `read` with a condition for each range of the table's blocks, and yields what it resolves to. Rows
 * that are written to meanwhile may be missed, or read twice.
 */
export async function* walkTable<T>(
  db: Database,
  table: string,
  read: (range: SQL) => Promise<T>,
): AsyncGenerator<T> {
  const size = sql`pg_relation_size(${`"public"."${table}"`}::regclass)`
  const [found] = await db
    .select({ blocks: sql`ceil(${size} / current_setting('block_size')::numeric)`.mapWith(Number) })
    .from(sql`(values (1)) as once`)
  const end = found?.blocks ?? 0
  let blocks = firstBlocks
  for (let at = 0; at < end; ) {
    const to = at + blocks
    const ctid = sql`${sql.identifier(table)}.ctid`
    const startedMs = performance.now()
    yield await read(sql`${ctid} >= ${`(${at},0)`}::tid and ${ctid} < ${`(${to},0)`}::tid`)
    const tookMs = performance.now() - startedMs
    at = to
    blocks = Math.max(1, Math.min(maxBlocks, Math.floor(tookMs > goalMs ? blocks / 2 : blocks * 2)))
  }
}
