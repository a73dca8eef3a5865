import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** The interface of queries: the database, or a transaction in it. */
export type Database = PgDatabase<PgQueryResultHKT>
