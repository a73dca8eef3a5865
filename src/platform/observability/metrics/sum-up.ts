/** Sums minutes up to hours, and hours to days. */
import { and, asc, eq, gte, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { traffic, trafficDue } from '../../../stores/db/schema/metrics.ts'
import { addFormatted, createLatencies, formatLatencies } from './latencies.ts'
import { dayMs, floorTo, hourMs, minuteMs } from './spans.ts'

/** How many hours or days one transaction sums up; each hour has 60 minutes of every node. */
const perStep = 25

/** The usual delay of writes; later ones cause another summing-up. */
const settledMs = 30_000

type Deps = { db: Database; nowMs: number }

/**
 * Sums up to 25 hours that are over and due, or days if there is no such hour. Resolves to how many. A sum is
 * recomputed from all its parts and replaces the previous one, in the transaction that deletes the due mark:
 * so nothing counts twice, whether it runs once or repeatedly, on one node or another.
 */
export async function sumUp(deps: Deps): Promise<number> {
  return (await sumUpTo(deps, hourMs, minuteMs)) || sumUpTo(deps, dayMs, hourMs)
}

type Due = { scopeId: string; startMs: number }
type Row = typeof traffic.$inferSelect

async function sumUpTo({ db, nowMs }: Deps, spanMs: number, partMs: number): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await takeDue(tx, spanMs, nowMs - settledMs)
    if (due.length === 0) return 0
    const sums = sumParts(await readParts(tx, due, spanMs, partMs), spanMs)
    if (sums.length > 0) await replaceSums(tx, sums)
    if (sums.length > 0 && spanMs < dayMs) await becomeDue(tx, sums, dayMs)
    return due.length
  })
}

/** Claims the due spans that are over by `endMs`, except those that are being written. */
async function takeDue(tx: Database, spanMs: number, endMs: number): Promise<Due[]> {
  const { scopeId, startMs } = trafficDue
  const first = tx
    .select({ spanMs: trafficDue.spanMs, startMs, scopeId })
    .from(trafficDue)
    .where(and(eq(trafficDue.spanMs, spanMs), lte(startMs, endMs - spanMs)))
    .orderBy(asc(startMs), asc(scopeId))
    .limit(perStep)
    .for('update', { skipLocked: true })
  return tx
    .delete(trafficDue)
    .where(sql`(${trafficDue.spanMs}, ${startMs}, ${scopeId}) in (${first})`)
    .returning({ scopeId, startMs })
}

function readParts(tx: Database, due: Due[], spanMs: number, partMs: number): Promise<Row[]> {
  const rows = JSON.stringify(due)
  const start = sql`due."startMs"`
  return tx
    .select(columns)
    .from(sql`json_to_recordset(${rows}::json) as due("scopeId" text, "startMs" bigint)`)
    .innerJoin(
      traffic,
      and(
        eq(traffic.scopeId, sql`due."scopeId"`),
        eq(traffic.spanMs, partMs),
        gte(traffic.startMs, start),
        lt(traffic.startMs, sql`${start} + ${spanMs}::bigint`),
      ),
    )
}

const columns = {
  scopeId: traffic.scopeId,
  spanMs: traffic.spanMs,
  startMs: traffic.startMs,
  writer: traffic.writer,
  requests: traffic.requests,
  bytes: traffic.bytes,
  errors: traffic.errors,
  latencies: traffic.latencies,
  responses2xx: traffic.responses2xx,
  responses3xx: traffic.responses3xx,
  responses4xx: traffic.responses4xx,
  responses404: traffic.responses404,
}

function sumParts(parts: Row[], spanMs: number): Row[] {
  const groups = new Map<string, Row[]>()
  for (const part of parts) {
    const key = `${part.scopeId} ${floorTo(spanMs, part.startMs)}`
    const group = groups.get(key)
    if (group) group.push(part)
    else groups.set(key, [part])
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [sumOf([first, ...others], first, spanMs)] : [],
  )
}

function sumOf(parts: Row[], { scopeId, startMs }: Row, spanMs: number): Row {
  const latencies = createLatencies()
  for (const part of parts) addFormatted(latencies, part.latencies)
  const total = (key: 'requests' | 'bytes' | 'errors') => parts.reduce((sum, part) => sum + part[key], 0)
  const ofStatus = (key: `responses${string}` & keyof Row) =>
    parts.reduce<number | null>((sum, part) => addKnown(sum, part[key]), 0)
  return {
    scopeId,
    spanMs,
    startMs: floorTo(spanMs, startMs),
    writer: 0,
    requests: total('requests'),
    bytes: total('bytes'),
    errors: total('errors'),
    latencies: formatLatencies(latencies),
    responses2xx: ofStatus('responses2xx'),
    responses3xx: ofStatus('responses3xx'),
    responses4xx: ofStatus('responses4xx'),
    responses404: ofStatus('responses404'),
  }
}

/** A sum with an unknown part is unknown: a smaller one would look like a count of all. */
function addKnown(sum: number | null, part: number | null): number | null {
  return sum === null || part === null ? null : sum + part
}

async function replaceSums(tx: Database, sums: Row[]): Promise<void> {
  await tx
    .insert(traffic)
    .values(sums)
    .onConflictDoUpdate({
      target: [traffic.scopeId, traffic.spanMs, traffic.startMs, traffic.writer],
      set: {
        requests: sql`excluded.requests`,
        bytes: sql`excluded.bytes`,
        errors: sql`excluded.errors`,
        latencies: sql`excluded.latencies`,
        responses2xx: sql`excluded.responses_2xx`,
        responses3xx: sql`excluded.responses_3xx`,
        responses4xx: sql`excluded.responses_4xx`,
        responses404: sql`excluded.responses_404`,
      },
    })
}

/** Locks what was due already: see `writeMinutes`. */
async function becomeDue(tx: Database, sums: Row[], spanMs: number): Promise<void> {
  const due = new Map(
    sums.map(({ scopeId, startMs }) => {
      const row = { spanMs, startMs: floorTo(spanMs, startMs), scopeId }
      return [`${row.startMs} ${scopeId}`, row]
    }),
  )
  const rows = [...due.values()].sort((a, b) => a.startMs - b.startMs || (a.scopeId < b.scopeId ? -1 : 1))
  await tx
    .insert(trafficDue)
    .values(rows)
    .onConflictDoUpdate({
      target: [trafficDue.spanMs, trafficDue.startMs, trafficDue.scopeId],
      set: { spanMs },
      setWhere: sql`false`,
    })
}
