/** Queries that are built and prepared once per database: building one costs more than running it. */
import type { Database } from './database.ts'

/** Wraps `prepare` so that it runs once per database, at first use. */
export function prepared<Q>(prepare: (db: Database) => Q): (db: Database) => Q {
  const queries = new WeakMap<Database, Q>()
  return (db) => {
    const known = queries.get(db)
    if (known !== undefined) return known
    const query = prepare(db)
    queries.set(db, query)
    return query
  }
}
