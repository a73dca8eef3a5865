/**
 * How much of 100,000 lines PostgreSQL reads for a page, with each filter. In `npm test` db/explain.test.ts
 * alone covers what statements read.
 * @module-tag long
 */
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { wholeTeam } from '../../../../src/platform/callers/scope.ts'
import { linesQuery } from '../../../../src/platform/observability/logs/lines.ts'
import { auditQuery } from '../../../../src/platform/observability/logs/read-audit.ts'
import { oldLines } from '../../../../src/platform/observability/logs/retention.ts'
import { type LogFilters, lineId, type Place } from '../../../../src/platform/observability/logs/row.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { explain, rowsRead, scansOf } from '../../../support/explain.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { vacuumAnalyze } from '../../../support/vacuum.ts'

const isRun = process.env.TEST_ON !== undefined

let node: TestNode
let client: postgres.Sql
/** The team whose log is read; its project `web` rarely has what its project `docs` has often. */
let team: TestTeam
let web: string
let docs: string

const deployment = newId('deployment', 1)
const unknown = newId('project', 1)

beforeAll(async () => {
  if (!isRun) return
  node = await startOwnNode()
  client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  team = await newTeam(node)
  web = await fill(team, 'web', 'info', 40_000)
  docs = await fill(team, 'docs', 'error', 20_000)
  const other = await newTeam(node)
  await fill(other, 'web', 'warn', 40_000)
  await client`
    insert into log_lines (team_id, project_id, deployment_id, kind, level, message, fields, time_ms)
    select ${team.id}, ${web}, ${deployment}, 'build', level, 'rare', '{}', 5
    from unnest(array['debug', 'info', 'warn', 'error']) as level`
  // As PostgreSQL does by itself from time to time.
  await vacuumAnalyze(client, 'log_lines', 'events')
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

/** Inserts lines of one level, and as many events, a millisecond apart. Resolves to the project's id. */
async function fill({ id: teamId, owner }: TestTeam, name: string, level: string, count: number) {
  const { body } = await owner('PUT', `/v1/projects/${name}`)
  await client`
    insert into log_lines (team_id, project_id, deployment_id, kind, level, message, fields, time_ms)
    select ${teamId}, ${body.id}, 'dpl_' || i / 1000,
      case i % 2 when 0 then 'request' else 'build' end, ${level}, 'line ' || i, '{}', 10000 + i
    from generate_series(1, ${count}::int) as i`
  await client`
    insert into events (id, team_id, project_id, deployment_id, type, data, created_ms)
    select 'evt_' || replace(gen_random_uuid()::text, '-', ''), ${teamId}, ${body.id}, 'dpl_' || i / 1000,
      'project.created', '{}', 10000 + i
    from generate_series(1, ${count}::int) as i`
  return String(body.id)
}

const count = 21

const middle: Place = [30_000, lineId(20_000)]

const cases: [string, LogFilters & { after?: Place; ofWeb?: boolean }][] = [
  ['everything', {}],
  ['a page in the middle', { after: middle }],
  ['a time', { since_ms: 20_000, until_ms: 25_000 }],
  ['a time without lines', { until_ms: 1_000 }],
  ['a kind', { kind: 'build' }],
  ['requests', { kind: 'request' }],
  ['requests in the middle, of a project', { kind: 'request', project: 'web', after: middle }],
  ['failed requests', { kind: 'request', project: 'docs', level: 'error', since_ms: 20_000 }],
  ['a class of statuses with a level of its own', { status: '5xx' }],
  ['a kind without lines', { kind: 'request', level: 'debug' }],
  ['a frequent level', { level: 'info' }],
  ['a rare level', { level: 'debug' }],
  ['a project', { project: 'web' }],
  ['a project by its id, in the middle', { ofWeb: true, after: middle }],
  ['a project that isn’t there', { project: 'other' }],
  ['a project by an id that isn’t there', { project: unknown }],
  ['a level that is rare in the project', { project: 'web', level: 'error' }],
  ['a level that the project never had', { project: 'docs', level: 'warn' }],
  ['a deployment', { deployment }],
  ['a deployment at a level, of a project', { deployment, project: 'web', level: 'warn' }],
  ['a deployment that isn’t there', { deployment: 'dpl_none' }],
]

describe.runIf(isRun).each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  describe.each(['asc', 'desc'] as const)('%s', (order) => {
    it.each(cases)('%s: reads no more than the streams of a page', async (_what, each) => {
      const { after, ofWeb, ...filters } = each
      const look = { order, after, count, reach: 'far' } as const
      const narrowed = ofWeb ? { ...filters, project: web } : filters
      const { db } = node.installation.store
      const lines = await explain(client, mode, linesQuery(db, wholeTeam(team.id), narrowed, look))
      expect(scansOf('log_lines', lines).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
      // A page of each kind and level, and the rows of the page itself.
      expect(rowsRead('log_lines', lines), JSON.stringify(lines)).toBeLessThanOrEqual(13 * count)
      const audit = await explain(client, mode, auditQuery(db, wholeTeam(team.id), narrowed, look))
      expect(scansOf('events', audit).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
      // Its positions, and the events at them, which are found in an index and then read.
      expect(rowsRead('events', audit), JSON.stringify(audit)).toBeLessThanOrEqual(3 * count)
    })
  })

  it.each<[string, LogFilters & { after?: Place }]>([
    ['everything', {}],
    ['a page in the middle', { after: middle }],
    ['a rare level', { level: 'debug' }],
    ['a deployment', { deployment }],
  ])('%s for a limited member: reads no more than the streams of each project', async (_what, each) => {
    const { after, ...filters } = each
    const look = { order: 'desc', after, count, reach: 'far' } as const
    const scope = { teamId: team.id, projects: [web, docs] }
    const { db } = node.installation.store
    const lines = await explain(client, mode, linesQuery(db, scope, filters, look))
    expect(scansOf('log_lines', lines).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    expect(rowsRead('log_lines', lines), JSON.stringify(lines)).toBeLessThanOrEqual(2 * 13 * count)
    const audit = await explain(client, mode, auditQuery(db, scope, filters, look))
    expect(scansOf('events', audit).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    expect(rowsRead('events', audit), JSON.stringify(audit)).toBeLessThanOrEqual(2 * 3 * count)
  })

  it.each(['build', 'request', 'git', 'runtime'] as const)(
    'of kind %s reads no more than it removes',
    async (kind) => {
      const plan = await explain(
        client,
        mode,
        oldLines({ db: node.installation.store.db, beforeMs: 90_000 }, kind),
      )
      expect(scansOf('log_lines', plan).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
      expect(rowsRead('log_lines', plan)).toBeLessThanOrEqual(1_000)
    },
  )

  it('a search by status ends after 5,000 lines', async () => {
    const look = { order: 'desc', after: undefined, count, reach: 'far' } as const
    const { db } = node.installation.store
    const plan = await explain(client, mode, linesQuery(db, wholeTeam(team.id), { status: '200' }, look))
    expect(scansOf('log_lines', plan).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    expect(rowsRead('log_lines', plan)).toBeLessThanOrEqual(2 * 5_000 + 20)
  })

  it('a search by message ends after 5,000 lines of each kind and level', async () => {
    const look = { order: 'desc', after: undefined, count, reach: 'far' } as const
    const { db } = node.installation.store
    const plan = await explain(client, mode, linesQuery(db, wholeTeam(team.id), { q: 'needle' }, look))
    expect(scansOf('log_lines', plan).map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    // The positions of the first 5,000 of each, and then 5,000 lines.
    expect(rowsRead('log_lines', plan)).toBeLessThanOrEqual(5 * 5_000 + 20)
  })
})
