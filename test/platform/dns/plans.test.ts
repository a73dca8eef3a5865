/**
 * How much of a zone of 10,000 records PostgreSQL reads: for a page, with each filter, and for a change. In
 * `npm test` db/explain.test.ts alone covers what statements read.
 * @module-tag long
 */
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newId } from '../../../src/lib/ids.ts'
import type { RecordType } from '../../../src/lib/names/record-types.ts'
import { pageQuery } from '../../../src/platform/dns/list-records.ts'
import { recordsAt } from '../../../src/platform/dns/name-records.ts'
import { findZone } from '../../../src/platform/dns/zone.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

const isRun = process.env.TEST_ON !== undefined

let node: TestNode
let client: postgres.Sql
let team: TestTeam

beforeAll(async () => {
  if (!isRun) return
  node = await startOwnNode()
  client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  team = await newTeam(node)
  const lower = await claim(node, team, 'shop.example.com', { proven: true })
  const top = await claim(node, team, 'example.com', { proven: true })
  const other = await newTeam(node)
  const theirs = await claim(node, other, 'example.com')
  await fill(other, theirs, 'example.com', 9_000, 'A')
  // Other zones, which have the service's records, too.
  for (const each of [team, other]) await claimMany(each, 2_000)
  await fill(team, top, 'example.com', 9_900, 'A')
  await fill(team, top, 'example.com', 5, 'MX')
  await fill(team, lower, 'shop.example.com', 50, 'A')
  await node.installation.store.db.execute(sql`analyze`)
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

async function fill(
  { id }: TestTeam,
  domainId: string,
  domain: string,
  count: number,
  type: string,
): Promise<void> {
  const reversed = domain.split('.').reverse().join('.')
  await node.installation.store.db.execute(sql`
    insert into records (id, team_id, domain_id, fqdn, reversed, type, value, ttl, created_ms, updated_ms)
    select 'rec_' || md5(${domainId} || ${type} || i), ${id}, ${domainId}, 'h' || i || ${`.${domain}`}::text,
      ${`${reversed}.h`}::text || i, ${type}, '192.0.2.1', 300, i, i
    from generate_series(1, ${count}::int) as i`)
}

async function claimMany({ id, slug }: TestTeam, count: number): Promise<void> {
  const { db } = node.installation.store
  await db.execute(sql`insert into registrable_domains values (${`${slug}.com`}, 1, 1)`)
  await db.execute(sql`
    insert into domains (id, team_id, domain, reversed, registrable, proof, proven_ms, next_check_ms,
      created_ms, updated_ms)
    select 'dom_' || md5(${slug} || i), ${id}, i || ${`.${slug}.com`}::text, ${`com.${slug}.`}::text || i,
      ${`${slug}.com`}, 'proof', i, i, i, i
    from generate_series(1, ${count}::int) as i`)
}

const planSchema = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  get Plans() {
    return z.array(planSchema).default([])
  },
})

type Plan = z.output<typeof planSchema>

const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planSchema })]) })])

function scans(plan: Plan): Plan[] {
  const own = ['records', 'domains'].includes(plan['Relation Name'] ?? '') ? [plan] : []
  return [...own, ...plan.Plans.flatMap(scans)]
}

function readOf(nodes: Plan[]): number {
  return nodes.reduce(
    (total, scan) => total + (scan['Actual Rows'] + scan['Rows Removed by Filter']) * scan['Actual Loops'],
    0,
  )
}

type Query = { toSQL(): { sql: string; params: unknown[] } }

type Filters = { name?: string; type?: RecordType; cursor?: string }

/** Runs the query as the server prepares it, and returns what PostgreSQL reads for it. */
async function explain(mode: string, query: Query): Promise<Plan[]> {
  const { sql: text, params } = query.toSQL()
  const values = params.map((value) => `'${String(value)}'`).join(', ')
  return client.begin(async (tx) => {
    await tx.unsafe(`set local plan_cache_mode = ${mode}`)
    await tx.unsafe(`prepare page as ${text}`)
    const rows = await tx.unsafe(`explain (analyze, format json) execute page(${values})`)
    await tx.unsafe('deallocate page')
    return scans(explained.parse([...rows])[0]['QUERY PLAN'][0].Plan)
  })
}

async function scansOf(mode: string, reference: string, filters: Filters): Promise<Plan[]> {
  const { db } = node.installation.store
  const { zone, claim } = await findZone(db, team.id, reference)
  return explain(mode, pageQuery(db, zone, claim, { limit, ...filters }))
}

const limit = 20

const middle = Buffer.from(JSON.stringify([5_000, newId('record', 5_000)])).toString('base64url')

const modes = ['force_custom_plan', 'force_generic_plan']

describe.runIf(isRun).each(modes)('of a zone of 10,000 records, with %s', (mode) => {
  it.each<[string, Filters]>([
    ['everything', {}],
    ['a page in the middle', { cursor: middle }],
    ['a frequent type', { type: 'A' }],
    ['a rare type', { type: 'MX' }],
    ['a type that isn’t there', { type: 'CAA' }],
    ['a type in the middle', { type: 'A', cursor: middle }],
    ['a name', { name: 'h77' }],
    ['a name that isn’t there', { name: 'nothing' }],
    ['a name and type', { name: 'h3', type: 'MX' }],
  ])('%s: reads little more than the page', async (_what, filters) => {
    const nodes = await scansOf(mode, 'example.com', filters)
    expect(nodes.map((each) => each['Node Type'])).not.toContain('Seq Scan')
    // The newest of each of the two claims are found in an index, and only these rows are read.
    expect(readOf(nodes), JSON.stringify(nodes)).toBeLessThanOrEqual(4 * (limit + 1) + 20)
  })

  it('a claim below another reads its own part of the zone only', async () => {
    const nodes = await scansOf(mode, 'shop.example.com', {})
    expect(nodes.map((each) => each['Node Type'])).not.toContain('Seq Scan')
    expect(readOf(nodes), JSON.stringify(nodes)).toBeLessThanOrEqual(50 + 20)
  })

  it.each(['h77.example.com', '_svc.shop.example.com', 'new.example.com'])(
    'a change at %s reads only the records there',
    async (fqdn) => {
      const { db } = node.installation.store
      const { zone } = await findZone(db, team.id, 'example.com')
      const nodes = await explain(mode, recordsAt(db, zone, fqdn))
      expect(nodes.map((each) => each['Node Type'])).not.toContain('Seq Scan')
      expect(readOf(nodes), JSON.stringify(nodes)).toBeLessThanOrEqual(10)
    },
  )
})
