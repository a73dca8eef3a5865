/** The condition for names at or below a name. */
import { eq, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { reverseName } from '../../lib/names/domain-name.ts'

/** Whether `reversed` is `domain` with its labels reversed, or below it: a range of a pattern index. */
export function atOrBelow(reversed: PgColumn, domain: string): SQL | undefined {
  const top = reverseName(domain)
  // In ASCII a slash follows the dot.
  return or(eq(reversed, top), sql`(${reversed} ~>~ ${`${top}.`} and ${reversed} ~<~ ${`${top}/`})`)
}
