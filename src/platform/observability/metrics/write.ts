/** Writes a node's counts. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { hourMs, minuteMs } from './spans.ts'

/** Responses by status; those of 500 and above are the errors. */
export type Statuses = {
  responses2xx: number
  responses3xx: number
  responses4xx: number
  /** Included in `responses4xx`. */
  responses404: number
}

/** A minute of a project or team as one writer has counted it so far. */
export type CountedMinute = Statuses & {
  scopeId: string
  startMs: number
  writer: number
  requests: number
  bytes: number
  errors: number
  latencies: string
}

/**
 * Writes these minutes, unique by scope and writer, in one statement, replacing earlier values; their hours
 * become due to be summed up again. Deleted projects and teams are left out.
 *
 * The due marks stay locked until the end: a concurrent summing-up skips them, since it couldn't see these
 * minutes yet. All writers lock them in the same order.
 */
export async function writeMinutes(db: Database, minutes: readonly CountedMinute[]): Promise<void> {
  const rows = JSON.stringify(minutes)
  const scopeIds = [...new Set(minutes.map(({ scopeId }) => scopeId))].join(',')
  await db.execute(sql`
    with kept as materialized (
      select id from projects where id = any(string_to_array(${scopeIds}, ','))
      union all select id from teams where id = any(string_to_array(${scopeIds}, ',')) and deleted_ms is null
    ), counted as (
      select counted.* from json_to_recordset(${rows}::json) as counted("scopeId" text, "startMs" bigint,
        writer bigint, requests bigint, bytes bigint, errors bigint, latencies text, "responses2xx" bigint,
        "responses3xx" bigint, "responses4xx" bigint, "responses404" bigint)
      join kept on kept.id = "scopeId"
    ), due as (
      insert into traffic_due (span_ms, start_ms, scope_id)
      select distinct ${hourMs}::int, "startMs" - "startMs" % ${hourMs}::bigint, "scopeId" from counted
      order by 2, 3
      on conflict (span_ms, start_ms, scope_id) do update set span_ms = excluded.span_ms where false
    )
    insert into traffic (scope_id, span_ms, start_ms, writer, requests, bytes, errors, latencies,
      responses_2xx, responses_3xx, responses_4xx, responses_404)
    select "scopeId", ${minuteMs}::int, "startMs", writer, requests, bytes, errors, latencies,
      "responses2xx", "responses3xx", "responses4xx", "responses404" from counted
    on conflict (scope_id, span_ms, start_ms, writer) do update set requests = excluded.requests,
      bytes = excluded.bytes, errors = excluded.errors, latencies = excluded.latencies,
      responses_2xx = excluded.responses_2xx, responses_3xx = excluded.responses_3xx,
      responses_4xx = excluded.responses_4xx, responses_404 = excluded.responses_404
    where traffic.requests < excluded.requests`)
}
