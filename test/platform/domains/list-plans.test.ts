/**
 * How much of 40,000 domains PostgreSQL reads for a page or a count, with each filter. In `npm test`
 * db/explain.test.ts alone covers what statements read.
 * @module-tag long
 */
import { and, eq, isNotNull } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeTeam } from '../../../src/platform/callers/scope.ts'
import { type DomainFilters, pageQuery } from '../../../src/platform/domains/list-domains.ts'
import { selectDomains } from '../../../src/platform/domains/read-domain.ts'
import { domains } from '../../../src/stores/db/schema/domains.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { explain, rowsRead, scansOf } from '../../support/explain.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { vacuumAnalyze } from '../../support/vacuum.ts'

const isRun = process.env.TEST_ON !== undefined

let node: TestNode
let client: postgres.Sql
/** Verified is rare in one team, and pending in the other. */
let pending: TestTeam
let verified: TestTeam

beforeAll(async () => {
  if (!isRun) return
  node = await startOwnNode()
  client = postgres(node.settings.DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  pending = await newTeam(node)
  verified = await newTeam(node)
  for (const [team, usual] of [
    [pending, false],
    [verified, true],
  ] as const) {
    const { body: shop } = await team.owner('PUT', '/v1/projects/shop')
    const { body: web } = await team.owner('PUT', '/v1/projects/web')
    await team.owner('PUT', '/v1/projects/docs')
    await fill(team, 10_000, shop.id, usual)
    await fill(team, 9_996, null, usual)
    await fill(team, 2, web.id, usual)
    await fill(team, 2, null, !usual)
  }
  // As PostgreSQL does by itself from time to time.
  await vacuumAnalyze(client, 'domains')
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
})

let filled = 0

async function fill({ id: teamId }: TestTeam, count: number, projectId: string | null, isVerified: boolean) {
  const top = `filled-${++filled}.com`
  await client`insert into registrable_domains (name, serial, changed_ms) values (${top}, 1, 1)`
  await client`
    insert into domains (id, team_id, domain, reversed, registrable, project_id, proof, verified_ms,
      next_check_ms, created_ms, updated_ms)
    select 'dom_' || replace(gen_random_uuid()::text, '-', ''), ${teamId},
      md5(i::text) || '.' || ${top}::text, 'com.' || i, ${top}, ${projectId}, 'none',
      ${isVerified ? 1 : null}, 1, 1, 1
    from generate_series(1, ${count}::int) as i`
}

const limit = 20
const middle = Buffer.from(JSON.stringify(['8.filled-1.com'])).toString('base64url')

describe.runIf(isRun).each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  it.each<[string, () => TestTeam, DomainFilters & { cursor?: string }]>([
    ['everything', () => pending, {}],
    ['a page in the middle', () => pending, { cursor: middle }],
    ['rarely verified', () => pending, { verified: true }],
    ['usually verified', () => verified, { verified: true }],
    ['rarely pending', () => verified, { verified: false }],
    ['usually pending', () => pending, { verified: false }],
    ['pending, in the middle', () => pending, { verified: false, cursor: middle }],
    ['a large project', () => pending, { project: 'shop' }],
    ['a large project, in the middle', () => pending, { project: 'shop', cursor: middle }],
    ['a small project', () => pending, { project: 'web' }],
    ['a project without domains', () => pending, { project: 'docs' }],
    ['a project that isn’t there', () => pending, { project: 'other' }],
    ['verified in a small project', () => verified, { project: 'web', verified: true }],
  ])('%s: reads no more than the page', async (_what, team, filters) => {
    const query = pageQuery(node.installation.store.db, wholeTeam(team().id), { limit, ...filters })
    const plan = await explain(client, mode, query)
    expect(scansOf('domains', plan).map((each) => each['Node Type'])).not.toContain('Seq Scan')
    expect(rowsRead('domains', plan), JSON.stringify(plan)).toBeLessThanOrEqual(2 * (limit + 1))
  })

  it('a domain by its name is one row', async () => {
    const { db } = node.installation.store
    const [row] = await db.select().from(domains).where(eq(domains.teamId, pending.id)).limit(1)
    const ofTeam = and(eq(domains.teamId, pending.id), eq(domains.domain, row?.domain ?? ''))
    const plan = await explain(client, mode, selectDomains(db).where(ofTeam))
    expect(rowsRead('domains', plan), JSON.stringify(plan)).toBe(1)
  })

  it('rarely verified domains are counted by an index-only scan', async () => {
    const { db } = node.installation.store
    const plan = await explain(
      client,
      mode,
      db
        .select({ id: domains.domain })
        .from(domains)
        .where(and(eq(domains.teamId, pending.id), isNotNull(domains.verifiedMs))),
    )
    expect(scansOf('domains', plan).map((each) => each['Index Name'])).toEqual(['domains_of_team_verified'])
    expect(rowsRead('domains', plan)).toBe(2)
  })
})
