/** Finds projects by a part of their names, at a cost that doesn't grow with how many the team has. */
import { type SQL, sql } from 'drizzle-orm'
import { nameParts, partsOf } from '../db/schema/name-parts.ts'
import { projects } from '../db/schema/projects.ts'

/** So many names are looked through first: what is in many names is found among them. */
const lookedThrough = sql.raw('500')

/**
 * The condition for the first `count` of the team's projects, by name, that have `q` in it and come after the cursor. What
 * isn't found so often among the first names is rare, and then found by its letters, two by two, in an index.
 */
export function nameContains(teamId: string, q: string, after: SQL | undefined, count: number): SQL {
  const found = q.toLowerCase()
  const contains = sql`position(${found}::text in name) > 0`
  const isAfter = after ?? sql`true`
  // Limits stand in the text, because of a parameter the planner would guess that it is a tenth of the table.
  const enough = sql.raw(String(count))
  return sql`${projects.id} = any(array(
    with near as materialized (
      select name from ${projects} where team_id = ${teamId} and ${isAfter} order by name limit ${lookedThrough}
    ), found as materialized (
      select name from near where ${contains} order by name limit ${enough}
    ), told as materialized (
      select (select count(*) from found) = ${enough} or (select count(*) from near) < ${lookedThrough} as is_all
    ), far as (
      select name from ${projects} where ${nameParts(projects)} @> ${partsOf(teamId, found)} and ${contains} and ${isAfter}
      offset 0
    ), named as (
      select name from found where (select is_all from told)
      union all
      (select name from far where not (select is_all from told) order by name limit ${enough})
    )
    select (select id from ${projects} where team_id = ${teamId} and projects.name = named.name) from named))`
}
