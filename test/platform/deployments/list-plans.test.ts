/**
 * How much of 100,000 deployments PostgreSQL reads for a page, with each filter. In `npm test`
 * db/explain.test.ts alone covers what statements read.
 * @module-tag long
 */
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { wholeTeam } from '../../../src/platform/callers/scope.ts'
import {
  type DeploymentFilters,
  listDeployments,
  pageQuery,
} from '../../../src/platform/deployments/list-deployments.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { explain, rowsRead, scansOf } from '../../support/explain.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { vacuumAnalyze } from '../../support/vacuum.ts'

const isRun = process.env.TEST_ON !== undefined

let node: TestNode
let client: postgres.Sql
/** The team whose lists are read; its project `web` rarely has what its project `docs` has often. */
let team: TestTeam

/** Rows of one kind, a millisecond apart from `fromMs` on. */
type Kind = { count: number; fromMs: number; target: string; state: string; branch: string }

const usual = { target: 'preview', state: 'ready', branch: 'main' }
const unusual = { target: 'production', state: 'error', branch: 'release' }

beforeAll(async () => {
  if (!isRun) return
  node = await startOwnNode()
  client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  team = await newTeam(node)
  await fill(team, 'web', [
    { count: 2, fromMs: 1_000, ...unusual },
    { count: 2, fromMs: 2_000, ...usual, target: 'production' },
    { count: 2, fromMs: 3_000, ...usual, state: 'canceled' },
    { count: 2, fromMs: 4_000, ...usual, branch: 'old' },
    { count: 40_000, fromMs: 40_000, ...usual },
  ])
  await fill(team, 'docs', [{ count: 20_000, fromMs: 10_000, ...unusual }])
  // In this team even the rarest kinds of the other's rows are frequent, and so they are in the statistics.
  const other = await newTeam(node)
  await fill(other, 'web', [
    { count: 20_000, fromMs: 10_000, ...usual, state: 'canceled', branch: 'old' },
    { count: 20_000, fromMs: 30_000, ...unusual },
  ])
  // As PostgreSQL does by itself from time to time.
  await vacuumAnalyze(client, 'deployments')
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

async function fill({ id: teamId, owner, ownerId }: TestTeam, name: string, kinds: Kind[]): Promise<void> {
  const { body } = await owner('PUT', `/v1/projects/${name}`)
  for (const { count, fromMs, target, state, branch } of kinds) {
    await client`
      insert into deployments (id, team_id, project_id, host, target, state, build, meta, files, bytes,
        created_by, created_ms)
      select 'dpl_' || replace(gen_random_uuid()::text, '-', ''), ${teamId}, ${body.id}, 'none', ${target},
        ${state}, ${client.json(body.build)}, ${client.json({ branch })}, 0, 0, ${ownerId},
        ${fromMs}::bigint + i
      from generate_series(1, ${count}::int) as i`
  }
}

const limit = 20
/** For each row of the page its index entry and itself, in each of the requested states. */
const enough = 10 * (limit + 1)

const middle = Buffer.from(JSON.stringify([50_000, newId('deployment', 50_000)])).toString('base64url')

describe.runIf(isRun).each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  it.each<[string, DeploymentFilters & { cursor?: string }]>([
    ['everything', {}],
    ['a page in the middle', { cursor: middle }],
    ['a time', { since_ms: 20_000, until_ms: 25_000 }],
    ['a time without deployments', { until_ms: 1_000 }],
    ['a project', { project: 'web' }],
    ['a page in the middle of a project', { project: 'web', cursor: middle }],
    ['a project that isn’t there', { project: 'other' }],
    ['a frequent target', { target: 'preview' }],
    ['a target', { target: 'production' }],
    ['a target that is rare in the project', { project: 'web', target: 'production' }],
    ['a target that the project never had', { project: 'docs', target: 'preview' }],
    ['a frequent state', { state: ['ready'] }],
    ['a rare state', { state: ['canceled'] }],
    ['a state without deployments', { state: ['queued'] }],
    ['rare states', { state: ['canceled', 'queued', 'building'] }],
    ['rare and frequent states', { state: ['canceled', 'ready', 'error'] }],
    ['every state', { state: ['queued', 'building', 'ready', 'error', 'canceled'] }],
    ['states in the middle', { state: ['canceled', 'ready'], cursor: middle }],
    ['a state that is rare in the project', { project: 'web', state: ['error'] }],
    ['states that are rare in the project', { project: 'web', state: ['error', 'canceled'] }],
    ['a frequent branch', { branch: 'main' }],
    ['a rare branch', { branch: 'old' }],
    ['a branch that isn’t there', { branch: 'other' }],
    ['a branch that is rare in the project', { project: 'web', branch: 'release' }],
    [
      'all filters at once',
      {
        project: 'web',
        target: 'preview',
        state: ['ready', 'canceled'],
        branch: 'old',
        since_ms: 1,
        until_ms: 50_000,
      },
    ],
    ['a rare branch and frequent states', { branch: 'old', state: ['ready'], target: 'preview' }],
  ])('%s: reads no more than the page', async (_what, filters) => {
    const { db } = node.installation.store
    const plan = await explain(client, mode, pageQuery(db, wholeTeam(team.id), { limit, ...filters }))
    const nodes = scansOf('deployments', plan)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.map((each) => each['Node Type'])).not.toContain('Seq Scan')
    expect(rowsRead('deployments', plan), JSON.stringify(plan)).toBeLessThanOrEqual(enough)
  })

  it.each<[string, DeploymentFilters & { cursor?: string }]>([
    ['everything', {}],
    ['a page in the middle', { cursor: middle }],
    ['a frequent state', { state: ['ready'] }],
    ['a branch that is rare in a project', { branch: 'release' }],
  ])('%s for a limited member: reads no more than a page of each project', async (_what, filters) => {
    const { data } = (await team.owner('GET', '/v1/projects')).body
    const scope = { teamId: team.id, projects: data.map(({ id }: { id: string }) => id) }
    const { db } = node.installation.store
    const plan = await explain(client, mode, pageQuery(db, scope, { limit, ...filters }))
    expect(scansOf('deployments', plan).map((each) => each['Node Type'])).not.toContain('Seq Scan')
    expect(rowsRead('deployments', plan), JSON.stringify(plan)).toBeLessThanOrEqual(2 * enough)
  })
})

it.runIf(isRun)('a filter by several states returns the union of each of them', async () => {
  const { store } = node.installation
  const list = (filters: DeploymentFilters) =>
    listDeployments(
      { store, sitesUrl: 'http://localhost', certifiedUrl: 'https://localhost' },
      wholeTeam(team.id),
      {
        limit: 100,
        ...filters,
      },
    )
  const apart = await Promise.all([list({ state: ['canceled'] }), list({ state: ['error'] })])
  const both = await list({ state: ['canceled', 'error'] })
  const newest = apart
    .flatMap(({ data }) => data)
    .sort((a, b) => b.created_ms - a.created_ms || (a.id < b.id ? 1 : -1))
  expect(both.data.map(({ id }) => id)).toEqual(newest.slice(0, 100).map(({ id }) => id))
})
