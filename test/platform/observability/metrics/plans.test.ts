/** How much of two years of counts PostgreSQL reads for a response. */
import { fillPlaceholders } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dueQuery,
  latenciesQuery,
  sumsQuery,
} from '../../../../src/platform/observability/metrics/read-metrics.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { explain, rowsRead, scansOf } from '../../../support/explain.ts'
import type { TestNode } from '../../../support/node.ts'
import { vacuumAnalyze } from '../../../support/vacuum.ts'
import { dayMs, hourMs, minuteMs } from './counting.ts'

let node: TestNode
let client: postgres.Sql

const scopes = 20
const nowMs = 800 * dayMs

beforeAll(async () => {
  if (!process.env.TEST_ON) return
  node = await startOwnNode()
  client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  for (const [spanMs, rows] of [
    [minuteMs, 3 * 24 * 60],
    [hourMs, 92 * 24],
    [dayMs, 700],
  ] as const) {
    await client`
      insert into traffic (scope_id, span_ms, start_ms, writer, requests, bytes, errors, latencies)
      select 'prj_' || scope, ${spanMs}::int, ${nowMs}::bigint - row * ${spanMs}::bigint, 0, 60, 6000, 0,
        repeat('A', 150)
      from generate_series(1, ${rows}::int) as row, generate_series(1, ${scopes}::int) as scope`
  }
  await client`
    insert into traffic_due (span_ms, start_ms, scope_id)
    select span, ${nowMs}::bigint - span, 'prj_' || scope
    from unnest(array[${hourMs}::int, ${dayMs}::int]) as span, generate_series(1, 5000) as scope`
  await vacuumAnalyze(client, 'traffic', 'traffic_due')
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

type Prepared = { getQuery(): { sql: string; params: unknown[] } }

/** A prepared query with its values, as `explain` takes one. */
function filled(query: Prepared, values: Record<string, unknown>) {
  const { sql, params } = query.getQuery()
  return { toSQL: () => ({ sql, params: fillPlaceholders(params, values) }) }
}

const cases: [string, number, number, number, number, number, number][] = [
  // from, hoursFrom, daysFrom, daysTo, hoursTo in hours ago, and the rows in the response.
  ['an hour by minutes', 1, 0, 0, 0, 0, 60],
  ['a day by minutes', 24, 0, 0, 0, 0, 24 * 60],
  ['90 days by hours, the last of them by minutes', 90 * 24, 90 * 24, 1, 1, 1, 90 * 24 - 1 + 60],
  ['90 days by days, then hours, then minutes', 90 * 24, 90 * 24, 90 * 24, 24, 1, 89 + 23 + 60],
]

describe.runIf(process.env.TEST_ON).each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  it.each(cases)(
    '%s: reads no row that is not in the result',
    async (_what, from, hoursFrom, daysFrom, daysTo, hoursTo, rows) => {
      const ago = (hours: number) => nowMs - hours * hourMs
      const values = {
        scopeId: 'prj_7',
        fromMs: ago(from),
        hoursFrom: ago(hoursFrom),
        daysFrom: ago(daysFrom),
        daysTo: ago(daysTo),
        hoursTo: ago(hoursTo),
        toMs: nowMs,
        stepMs: hourMs,
      }
      const { db } = node.installation.store
      for (const query of [sumsQuery(db), latenciesQuery(db)]) {
        const plan = await explain(client, mode, filled(query, values))
        const scans = scansOf('traffic', plan)
        expect(scans.map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
        // A bitmap scan counts the rows of its index again.
        const ofTable = scans.filter((scan) => scan['Relation Name'] === 'traffic')
        const read = ofTable.reduce(
          (sum, scan) => sum + scan['Actual Rows'] + scan['Rows Removed by Filter'],
          0,
        )
        expect(read, JSON.stringify(plan)).toBe(rows)
      }
    },
  )

  it('the first due hour is found at once', async () => {
    const plan = await explain(client, mode, filled(dueQuery(node.installation.store.db), {}))
    expect(rowsRead('traffic_due', plan)).toBeLessThanOrEqual(2)
  })
})
