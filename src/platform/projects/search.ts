/** Searches projects by a part of their names, at a bounded cost. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { nameParts, partsOf } from '../../stores/db/schema/name-parts.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { isSeen, type Scope } from '../callers/scope.ts'

/** How many names are scanned first, which finds common texts. */
const lookedThrough = sql.raw('500')

/**
 * The condition for the first `count` of the team's projects, by name, that contain `q` and come after the
 * cursor. Texts that aren't common among the first names are rare, and are then found by pairs of letters in
 * an index.
 */
function nameContains(teamId: string, q: string, after: SQL | undefined, count: number): SQL {
  const found = q.toLowerCase()
  const contains = sql`position(${found}::text in name) > 0`
  const isAfter = after ?? sql`true`
  // Literal limits: for a parameter the planner would assume a tenth of the table.
  const enough = sql.raw(String(count))
  return sql`${projects.id} = any(array(
    with near as materialized (
      select name from ${projects} where team_id = ${teamId} and ${isAfter}
      order by name limit ${lookedThrough}
    ), found as materialized (
      select name from near where ${contains} order by name limit ${enough}
    ), counted as materialized (
      select (select count(*) from found) = ${enough}
        or (select count(*) from near) < ${lookedThrough} as is_all
    ), far as (
      select name from ${projects}
      where ${nameParts(projects)} @> ${partsOf(teamId, found)} and ${contains} and ${isAfter}
      offset 0
    ), named as (
      select name from found where (select is_all from counted)
      union all
      (select name from far where not (select is_all from counted) order by name limit ${enough})
    )
    select (select id from ${projects} where team_id = ${teamId} and projects.name = named.name) from named))`
}

/**
 * The condition for at least the first `count` projects, by name, that the caller sees after the cursor, with
 * `q` in their names. Members are limited to few, which are looked through.
 */
export function pageOfNames(
  scope: Scope,
  q: string | undefined,
  after: SQL | undefined,
  count: number,
): SQL | undefined {
  const { teamId } = scope
  const seen = isSeen(scope, projects.id)
  if (q === undefined) return and(eq(projects.teamId, teamId), seen, after)
  if (!seen) return nameContains(teamId, q, after, count)
  const contains = sql`position(${q.toLowerCase()}::text in ${projects}.name) > 0`
  return and(eq(projects.teamId, teamId), seen, contains, after)
}
