/** What builds and requests wrote into a team's log. */
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { logLines } from '../../db/schema/logs.ts'
import { projects } from '../../db/schema/projects.ts'
import { isId } from '../../ids.ts'
import { projectIdOf } from '../../projects/read.ts'
import { type LogFilters, type Look, lineId, lineNumber, logLevels, type Stretch } from './row.ts'

/** How many lines are looked at for a part of their message, which no index knows. */
const maxSearched = 5_000

/** The lines that match every filter, of at most 5,000 that are looked at where there is a `q`. */
export async function readLines(
  db: Database,
  teamId: string,
  filters: LogFilters,
  look: Look,
): Promise<Stretch> {
  const found = await linesQuery(db, teamId, filters, look)
  const last = found.at(-1)
  const isFull = last?.number === searchedBy(filters, look)
  return {
    rows: found
      .filter(({ matches }) => matches)
      .map(({ number: _number, matches: _matches, ...row }) => ({ ...row, id: lineId(row.id) })),
    end: last && [last.time_ms, lineId(last.id)],
    more: found.length === look.count || isFull,
  }
}

function searchedBy({ q }: LogFilters, { count }: Look): number {
  return q === undefined ? count : maxSearched
}

/**
 * The query for the first `count` lines that match, and for the last one that was looked at, if that isn't among them.
 * `number` counts what was looked at.
 */
export function linesQuery(db: Database, teamId: string, filters: LogFilters, look: Look) {
  const { order, count } = look
  const searched = sql.raw(String(searchedBy(filters, look)))
  const direction = sql.raw(order)
  const isMatch =
    filters.q === undefined
      ? sql`true`
      : sql`position(lower(${filters.q}::text) in lower(${logLines.message})) > 0`
  // Limits stand in the text, because of a parameter the planner would guess that it is a tenth of the table.
  const looked = sql`(
    select id, number, matches from (
      select id, matches, row_number() over (order by time_ms ${direction}, id ${direction}) as number,
        count(*) over () as total
      from (
        select each.id, each.time_ms, each.matches
        from (values ${streams(filters)}) as streams (kind, level) cross join lateral (
          select ${logLines.id}, ${logLines.timeMs}, ${isMatch} as matches from ${logLines}
          where ${and(inStream, ...conditions(db, teamId, filters, look))}
          order by ${logLines.timeMs} ${direction}, ${logLines.id} ${direction} limit ${searched}
        ) as each
        order by each.time_ms ${direction}, each.id ${direction} limit ${searched}
      ) as first
    ) as numbered
    where matches or number = total order by number limit ${sql.raw(String(count))}
  ) as looked`
  return db
    .select({
      id: logLines.id,
      time_ms: logLines.timeMs,
      kind: logLines.kind,
      level: logLines.level,
      message: logLines.message,
      project: projects.name,
      deployment: logLines.deploymentId,
      fields: logLines.fields,
      number: sql`looked.number`.mapWith(Number),
      matches: sql<boolean>`looked.matches`,
    })
    .from(looked)
    .innerJoin(logLines, sql`${logLines.id} = looked.id`)
    .leftJoin(projects, and(eq(projects.id, logLines.projectId), eq(projects.teamId, teamId)))
    .orderBy(sql`looked.number`)
}

/** Each kind and level that the filters leave: of each the lines stand in order in an index. */
function streams({ kind, level }: LogFilters): SQL {
  const kinds = logLines.kind.enumValues.filter((each) => kind === undefined || each === kind)
  const levels = logLevels.filter((each) => level === undefined || each === level)
  return sql.join(
    kinds.flatMap((eachKind) => levels.map((eachLevel) => sql`(${eachKind}::text, ${eachLevel}::text)`)),
    sql`, `,
  )
}

const inStream = sql`${logLines.kind} = streams.kind and ${logLines.level} = streams.level`

function conditions(
  db: Database,
  teamId: string,
  { project, deployment, since_ms, until_ms }: LogFilters,
  { order, after }: Look,
): (SQL | undefined)[] {
  const beyond = order === 'asc' ? sql`>` : sql`<`
  return [
    eq(logLines.teamId, teamId),
    project === undefined ? undefined : eq(logLines.projectId, projectFilter(db, teamId, project)),
    deployment === undefined ? undefined : eq(logLines.deploymentId, deployment),
    since_ms === undefined ? undefined : gte(logLines.timeMs, since_ms),
    until_ms === undefined ? undefined : lt(logLines.timeMs, until_ms),
    after &&
      sql`(${logLines.timeMs}, ${logLines.id}) ${beyond} (${after[0]}::bigint, ${lineNumber(after[1])}::bigint)`,
  ]
}

/** An id is taken as it is, since the log tells of projects that are gone. */
export function projectFilter(db: Database, teamId: string, reference: string): string | SQL {
  return isId('project', reference) ? reference : projectIdOf(db, teamId, reference)
}
