/** The clock shared by all nodes. */
import { sql } from 'drizzle-orm'

/** Unix milliseconds when the database evaluates it, also within a transaction. */
export const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
