/** The condition for names at or below a name. */
import { eq, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { reverseName } from '../names/domain-name.ts'

/** That `reversed` is `domain` with its labels from the right, or lies below it: a range of an index of patterns. */
export function atOrBelow(reversed: PgColumn, domain: string): SQL | undefined {
  const top = reverseName(domain)
  // What follows a dot in ASCII is a slash.
  return or(eq(reversed, top), sql`(${reversed} ~>~ ${`${top}.`} and ${reversed} ~<~ ${`${top}/`})`)
}
