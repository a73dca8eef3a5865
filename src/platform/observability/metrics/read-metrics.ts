/** Reads the traffic of a project or team in a range, from the coarsest spans available. */
import { eq, min, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { prepared } from '../../../stores/db/prepared.ts'
import { traffic, trafficDue } from '../../../stores/db/schema/metrics.ts'
import { ceilTo, dayMs, floorTo, hourMs, minuteMs } from './spans.ts'

/**
 * A range with an exclusive end, in steps that begin at multiples of `stepMs`; all three are whole minutes.
 */
export type Range = { fromMs: number; toMs: number; stepMs: number }

/** Counts by status are null where some of the responses weren't counted by status. */
export type Sums = {
  requests: number
  bytes: number
  errors: number
  responses_2xx: number | null
  responses_3xx: number | null
  responses_4xx: number | null
  responses_404: number | null
}

/** A team or project by id, or several projects, whose traffic is added. */
export type Whose = string | readonly string[]

/** The counts of each step with any traffic, by its start. */
export async function readSums(db: Database, whose: Whose, range: Range): Promise<Map<number, Sums>> {
  const within = { ...range, ...(await findPieces(db, range)) }
  const rows =
    typeof whose === 'string'
      ? await sumsQuery(db).execute({ scopeId: whose, ...within })
      : await jointSumsQuery(db).execute({ scopeIds: whose.join(','), ...within })
  return new Map(rows.map(({ stepMs, ...sums }) => [stepMs, sums]))
}

/** The responses in each step of each of these projects or teams with any traffic. */
export async function readScopeSums(
  db: Database,
  scopeIds: string[],
  range: Range,
): Promise<(Pick<Sums, 'requests' | 'errors'> & { scopeId: string; stepMs: number })[]> {
  const found = await findPieces(db, range)
  return scopeSumsQuery(db).execute({ scopeIds: scopeIds.join(','), ...range, ...found })
}

/** The histograms of each step with any traffic, by its start. */
export async function readLatencies(
  db: Database,
  whose: Whose,
  range: Range,
): Promise<Map<number, string[]>> {
  const within = { ...range, ...(await findPieces(db, range)) }
  const rows =
    typeof whose === 'string'
      ? await latenciesQuery(db).execute({ scopeId: whose, ...within })
      : await jointLatenciesQuery(db).execute({ scopeIds: whose.join(','), ...within })
  return new Map(rows.map(({ stepMs, latencies }) => [stepMs, latencies.split(',')]))
}

/**
 * Which spans are read where: days from `daysFrom` to `daysTo`, around them hours from `hoursFrom` to
 * `hoursTo`, around those minutes. What isn't summed up yet is read in its parts.
 */
type Pieces = { hoursFrom: number; daysFrom: number; daysTo: number; hoursTo: number }

async function findPieces(db: Database, { fromMs, toMs, stepMs }: Range): Promise<Pieces> {
  const none = { hoursFrom: toMs, daysFrom: toMs, daysTo: toMs, hoursTo: toMs }
  if (stepMs % hourMs !== 0) return none
  const [due] = await dueQuery(db).execute()
  const hoursTo = floorTo(hourMs, Math.min(due?.hourMs ?? toMs, toMs))
  const hoursFrom = ceilTo(hourMs, fromMs)
  if (hoursFrom >= hoursTo) return none
  const hours = { hoursFrom, daysFrom: hoursTo, daysTo: hoursTo, hoursTo }
  if (stepMs % dayMs !== 0) return hours
  const daysTo = floorTo(dayMs, Math.min(due?.dayMs ?? hoursTo, hoursTo))
  const daysFrom = ceilTo(dayMs, hoursFrom)
  return daysFrom >= daysTo ? hours : { hoursFrom, daysFrom, daysTo, hoursTo }
}

const firstDue = (spanMs: number) =>
  sql`(select ${min(trafficDue.startMs)} from ${trafficDue} where ${eq(trafficDue.spanMs, spanMs)})`

export const dueQuery = prepared((db) =>
  db
    .select({
      hourMs: firstDue(hourMs).mapWith(Number),
      dayMs: firstDue(dayMs).mapWith(Number),
    })
    .from(sql`(values (1)) as once`)
    .prepare('traffic_due'),
)

const oneScope = sql`= ${sql.placeholder('scopeId')}`
const manyScopes = sql`= any(string_to_array(${sql.placeholder('scopeIds')}, ','))`

/** Reads the rows of one span in a range. */
type ReadPiece = (spanMs: number, fromMs: keyof Pieces | 'fromMs', toMs: keyof Pieces | 'toMs') => SQL

const pieceOf =
  (scope: SQL): ReadPiece =>
  (spanMs, fromMs, toMs) =>
    sql`
    select ${traffic.scopeId}, ${traffic.startMs}, ${traffic.requests}, ${traffic.bytes}, ${traffic.errors},
      ${traffic.latencies}, ${traffic.responses2xx}, ${traffic.responses3xx}, ${traffic.responses4xx},
      ${traffic.responses404}
    from ${traffic}
    where ${traffic.scopeId} ${scope} and ${traffic.spanMs} = ${sql.raw(String(spanMs))}
      and ${traffic.startMs} >= ${sql.placeholder(fromMs)} and ${traffic.startMs} < ${sql.placeholder(toMs)}`

const piecesOf = (piece: ReadPiece) => sql`(
  ${piece(minuteMs, 'fromMs', 'hoursFrom')} union all
  ${piece(hourMs, 'hoursFrom', 'daysFrom')} union all
  ${piece(dayMs, 'daysFrom', 'daysTo')} union all
  ${piece(hourMs, 'daysTo', 'hoursTo')} union all
  ${piece(minuteMs, 'hoursTo', 'toMs')}) as pieces`

const step = sql`start_ms - start_ms % ${sql.placeholder('stepMs')}::bigint`.mapWith(Number)

const total = (column: keyof Sums) => sql`sum(${sql.identifier(column)})`.mapWith(Number)

/** The sum of a column if every row has it; else null, since a smaller one would look like a count of all. */
const totalOfKnown = (column: keyof Sums) =>
  sql`case when count(*) = count(${sql.identifier(column)}) then ${total(column)} end`.mapWith(
    (value): number | null => Number(value),
  )

const selectSums = (db: Database, scope: SQL) =>
  db
    .select({
      stepMs: step,
      requests: total('requests'),
      bytes: total('bytes'),
      errors: total('errors'),
      responses_2xx: totalOfKnown('responses_2xx'),
      responses_3xx: totalOfKnown('responses_3xx'),
      responses_4xx: totalOfKnown('responses_4xx'),
      responses_404: totalOfKnown('responses_404'),
    })
    .from(piecesOf(pieceOf(scope)))
    .groupBy(sql`1`)

export const sumsQuery = prepared((db) => selectSums(db, oneScope).prepare('traffic_sums'))

const jointSumsQuery = prepared((db) => selectSums(db, manyScopes).prepare('joint_traffic_sums'))

const scopeSumsQuery = prepared((db) =>
  db
    .select({
      scopeId: sql<string>`scope_id`,
      stepMs: step,
      requests: total('requests'),
      errors: total('errors'),
    })
    .from(piecesOf(pieceOf(manyScopes)))
    .groupBy(sql`1, 2`)
    .prepare('traffic_sums_of_scopes'),
)

const selectLatencies = (db: Database, scope: SQL) =>
  db
    .select({ stepMs: step, latencies: sql<string>`string_agg(latencies, ',')` })
    .from(piecesOf(pieceOf(scope)))
    .groupBy(sql`1`)

export const latenciesQuery = prepared((db) => selectLatencies(db, oneScope).prepare('traffic_latencies'))

const jointLatenciesQuery = prepared((db) =>
  selectLatencies(db, manyScopes).prepare('joint_traffic_latencies'),
)
