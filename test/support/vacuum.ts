/** What PostgreSQL does by itself from time to time, and plans depend on. */
import type postgres from 'postgres'

/**
 * Vacuums and analyzes these tables, or all. Only rows whose commits are on the disk are marked as visible to
 * all, and commits of a test's database don't wait for it: one that does brings those before it there.
 */
export async function vacuumAnalyze(client: postgres.Sql, ...tables: string[]): Promise<void> {
  await client.begin(async (tx) => {
    await tx`set local synchronous_commit = on`
    await tx`create table flushed ()`
    await tx`drop table flushed`
  })
  await client.unsafe(`vacuum analyze ${tables.join(', ')}`)
}
