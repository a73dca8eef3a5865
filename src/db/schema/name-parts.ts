/** The parts of a name by which it is found, whichever of them is asked for. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Each letter of a name and each two that follow one another, all of them behind the id of the team whose name it is. */
export function nameParts({ teamId, name }: { teamId: SQLWrapper; name: SQLWrapper }): SQL {
  // A last letter without another becomes the id alone.
  const pairs = (text: SQL) => sql`regexp_replace(${text}, '(..)|.$', ${teamId} || '\\1 ', 'g')`
  return sql`string_to_array(regexp_replace(${name}, '(.)', ${teamId} || '\\1 ', 'g') || ${pairs(sql`${name}`)} || ${pairs(sql`substr(${name}, 2)`)}, ' ')`
}

/** What the parts of a name have among them if it has `text` in it, to be looked for with `@>`. */
export function partsOf(teamId: string, text: string): SQL {
  const parts =
    text.length < 2 ? [text] : [...text].slice(1).map((letter, index) => [...text][index] + letter)
  return sql`string_to_array(${[...new Set(parts)].map((part) => teamId + part).join(' ')}, ' ')`
}
