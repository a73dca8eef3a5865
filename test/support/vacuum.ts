/** What PostgreSQL does by itself from time to time, and plans depend on. */
import type postgres from 'postgres'
import { until } from './eventually.ts'

/**
 * Vacuums and analyzes these tables, or all, so that each page without later changes counts as visible to
 * all. Such a page has rows only that no running transaction misses and whose commits are on the disk.
 */
export async function vacuumAnalyze(client: postgres.Sql, ...tables: string[]): Promise<void> {
  await awaitEarlierTransactions(client)
  await flushCommits(client)
  await client.unsafe(`vacuum analyze ${tables.join(', ')}`)
}

/**
 * PostgreSQL knows the place of a commit in its log for 32 consecutive transactions together: one that ends
 * later without waiting for the disk would make all of them count as not yet there. So the numbers of 32 are
 * used up, and whoever has an earlier one or sees less is waited for.
 */
async function awaitEarlierTransactions(client: postgres.Sql): Promise<void> {
  for (let each = 0; each < 32; each++) await client`select pg_current_xact_id()`
  const [last] = await client`select pg_current_xact_id()::xid as xid`
  const isOver = async () => {
    const running = await client`
      select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and greatest(age(backend_xid), age(backend_xmin)) > age(${String(last?.xid)}::xid)`
    return running.length === 0
  }
  await until(isOver)
}

/** Of a test's database, commits don't wait for the disk; one that does brings those before it there. */
async function flushCommits(client: postgres.Sql): Promise<void> {
  await client.begin(async (tx) => {
    await tx`set local synchronous_commit = on`
    await tx`create table flushed ()`
    await tx`drop table flushed`
  })
}
