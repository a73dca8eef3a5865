/** The clock that all nodes share. */
import { sql } from 'drizzle-orm'

/** Unix milliseconds at the moment at which the database comes to it, also within a transaction. */
export const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
