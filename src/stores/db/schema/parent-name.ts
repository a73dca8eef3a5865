/** The parents of a name, for indexes. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** A name without its first labels; null if it has no more than these. */
export function above(name: SQLWrapper, labels: 1 | 2 | 3): SQL {
  return sql`substring(${name} from '^(?:[^.]+[.]){${sql.raw(String(labels))}}(.+)$')`
}
