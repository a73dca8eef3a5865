/** Lines of a team's log, but those of the audit trail: of builds, servers, requests and git. */
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { isId } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { logLines } from '../../../stores/db/schema/logs.ts'
import { projects } from '../../../stores/db/schema/projects.ts'
import { idList, type Scope, sees } from '../../callers/scope.ts'
import { projectIdOf } from '../../projects/read-project.ts'
import { hasOwnLevel, levelOfStatus } from '../requests/level-of-status.ts'
import { type LogFilters, type Look, lineId, lineNumber, logLevels, type Stretch } from './row.ts'

/** How many lines a search scans. */
const maxSearched = { near: 200, far: 5_000 }

/** The lines that the caller sees and that match every filter; a search scans at most 200 or 5,000. */
export async function readLines(
  db: Database,
  scope: Scope,
  filters: LogFilters,
  look: Look,
): Promise<Stretch> {
  const found = await linesQuery(db, scope, filters, look)
  const last = found.at(-1)
  const isFull = last?.number === searchedBy(scope, filters, look)
  return {
    rows: found
      .filter(({ matches }) => matches)
      .map(({ number: _number, matches: _matches, ...row }) => ({ ...row, id: lineId(row.id) })),
    end: last && [last.time_ms, lineId(last.id)],
    more: found.length === look.count || isFull,
  }
}

function searchedBy(scope: Scope, filters: LogFilters, { count, reach }: Look): number {
  return isSearch(filters) ? sharedBy(scope, maxSearched[reach]) : count
}

/** Whether lines are scanned for what no index has: a part of their message, a host, or most statuses. */
export function isSearch({ q, status, host }: LogFilters): boolean {
  return q !== undefined || host !== undefined || (status !== undefined && !hasOwnLevel(status))
}

/** Whether a filter is there that only lines of requests match. */
export function isOfRequests({ status, host }: LogFilters): boolean {
  return status !== undefined || host !== undefined
}

/** Less of each project of a limited member, which are read one by one. */
export function sharedBy({ projects }: Scope, most: number): number {
  return Math.min(most, Math.max(maxSearched.near, Math.ceil(most / (projects?.length || 1))))
}

/**
 * The query for the first `count` matching lines, and for the last one scanned, if that isn't among them.
 * `number` counts the scanned lines. Selects them from an index alone.
 */
export function linesQuery(db: Database, scope: Scope, filters: LogFilters, look: Look) {
  const { teamId } = scope
  const { order, count } = look
  const searched = sql.raw(String(searchedBy(scope, filters, look)))
  const direction = sql.raw(order)
  const isMatch = isSearch(filters)
    ? sql`(select ${and(...searchedIn(filters))} from ${logLines} as line where line.id = first.id)`
    : sql`true`
  // Literal limits: for a parameter the planner would assume a tenth of the table.
  const looked = sql`(
    select id, number, matches from (
      select id, ${isMatch} as matches,
        row_number() over (order by time_ms ${direction}, id ${direction}) as number,
        count(*) over () as total
      from (
        select each.id, each.time_ms
        from (values ${streams(filters)}) as streams (kind, level)${eachProject(scope, filters)}
        cross join lateral (
          select ${logLines.id}, ${logLines.timeMs} from ${logLines}
          where ${and(inStream, ...conditions(db, scope, filters, look))}
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
    .leftJoin(projects, and(eq(projects.id, logLines.projectId), isOfTeam(projects.teamId, teamId)))
    .where(and(isOfTeam(logLines.teamId, teamId), ...alsoOfProject(db, scope, logLines.projectId, filters)))
    .orderBy(sql`looked.number`)
}

/** The conditions that a search sets on the content of a line. */
function searchedIn({ q, status, host }: LogFilters): (SQL | undefined)[] {
  return [
    q === undefined ? undefined : sql`position(lower(${q}::text) in lower(message)) > 0`,
    status === undefined || hasOwnLevel(status) ? undefined : hasStatus(status),
    host === undefined ? undefined : sql`coalesce(fields ->> 'host' = ${host}, false)`,
  ]
}

/** Requests of a class without a line of their own are counted in another. */
function hasStatus(status: string): SQL {
  if (!status.endsWith('xx')) return sql`coalesce(fields ->> 'status' = ${status}, false)`
  return sql`(coalesce(fields ->> 'status' like ${`${status[0]}__`}, false)
    or fields -> 'by_status' -> ${status} is not null)`
}

/** Each kind and level that the filters allow: an index has the lines of each in order. */
function streams(filters: LogFilters): SQL {
  const { status } = filters
  const kind = isOfRequests(filters) ? 'request' : filters.kind
  const level = status === undefined ? filters.level : levelOfStatus(status)
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
  scope: Scope,
  filters: LogFilters,
  { order, after }: Look,
): (SQL | undefined)[] {
  const { since_ms, until_ms } = filters
  const beyond = order === 'asc' ? sql`>` : sql`<`
  return [
    narrowest(db, scope, logLines, filters),
    since_ms === undefined ? undefined : gte(logLines.timeMs, since_ms),
    until_ms === undefined ? undefined : lt(logLines.timeMs, until_ms),
    after &&
      sql`(${logLines.timeMs}, ${logLines.id})
        ${beyond} (${after[0]}::bigint, ${lineNumber(after[1])}::bigint)`,
  ]
}

/** An id is used as it is, since the log has lines of deleted projects. */
function projectFilter(db: Database, scope: Scope, reference: string): string | SQL {
  if (!isId('project', reference)) return projectIdOf(db, scope, reference)
  return sees(scope, reference) ? reference : sql`null`
}

type Scoped = Record<'teamId' | 'projectId' | 'deploymentId', PgColumn>

/**
 * The condition for the narrowest filter: an index has the rows of each in order. All rows of a deployment
 * are of one project, and all of a project of one team, so the other filters are checked on the rows found.
 * Without a filter, those of a limited member are read project by project.
 */
export function narrowest(
  db: Database,
  scope: Scope,
  columns: Scoped,
  { project, deployment }: LogFilters,
): SQL {
  if (deployment !== undefined) return eq(columns.deploymentId, deployment)
  if (project !== undefined) return eq(columns.projectId, projectFilter(db, scope, project))
  if (scope.projects !== null) return sql`${columns.projectId} = seen.project_id`
  return eq(columns.teamId, scope.teamId)
}

/** The projects that `narrowest` reads one by one, to be joined with; nothing where it reads one index. */
export function eachProject({ projects }: Scope, { project, deployment }: LogFilters): SQL {
  if (projects === null || project !== undefined || deployment !== undefined) return sql``
  return sql` cross join unnest(${idList(projects)}) as seen (project_id)`
}

/** Checks the project of rows found by deployment, and that the caller sees it; no index is used for it. */
export function alsoOfProject(
  db: Database,
  scope: Scope,
  column: PgColumn,
  { project, deployment }: LogFilters,
): SQL[] {
  const { projects } = scope
  const seen = projects === null ? [] : [sql`coalesce(${column}, '') = any(${idList(projects)})`]
  if (deployment === undefined || project === undefined) return seen
  return [...seen, sql`${column} is not distinct from ${projectFilter(db, scope, project)}`]
}

/** Checks the team of rows found; written so that no index is used for it. */
export function isOfTeam(column: PgColumn, teamId: string): SQL {
  return sql`${column} is not distinct from ${teamId}`
}
