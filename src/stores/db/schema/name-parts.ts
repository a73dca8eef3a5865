/** The parts of a name for searches by substring. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Each letter and each pair of adjacent letters of a name, prefixed with the team's id. */
export function nameParts({ teamId, name }: { teamId: SQLWrapper; name: SQLWrapper }): SQL {
  // A last letter without another becomes the id alone.
  const pairs = (text: SQL) => sql`regexp_replace(${text}, '(..)|.$', ${teamId} || '\\1 ', 'g')`
  const letters = sql`regexp_replace(${name}, '(.)', ${teamId} || '\\1 ', 'g')`
  return sql`string_to_array(${letters} || ${pairs(sql`${name}`)} || ${pairs(sql`substr(${name}, 2)`)}, ' ')`
}

/** The parts that a name with `text` in it has, for use with `@>`. */
export function partsOf(teamId: string, text: string): SQL {
  const parts =
    text.length < 2 ? [text] : [...text].slice(1).map((letter, index) => [...text][index] + letter)
  return sql`string_to_array(${[...new Set(parts)].map((part) => teamId + part).join(' ')}, ' ')`
}
