/** A repeated PUT changes nothing: not the response, not a row, and it records no event. */
import type { inferRouterInputs } from '@trpc/server'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppRouter } from '../../../../src/api/routers/index.ts'
import { eventTypes } from '../../../../src/lib/names/event-types.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { dumpTables } from '../../../support/dump.ts'
import type { TestNode } from '../../../support/node.ts'
import { callRest } from '../call-procedure.ts'
import { type Fixture, newFixture, type ProcedureName } from '../every-procedure.ts'
import { operations } from './operations.ts'
import { made } from './ways.ts'

type Inputs = inferRouterInputs<AppRouter>

/** Every field that the operation takes, and for some of them equivalent spellings. */
const inputs: Partial<Record<ProcedureName, (own: Fixture) => Record<string, unknown>[]>> = {
  'projects.put': ({ project }) => [
    { project: project.id },
    {
      project: project.id,
      name: project.name,
      build: { install_command: null, build_command: 'make', output_directory: 'out', root_directory: 'web' },
      env: [
        { key: 'MODE', value: 'test', target: ['production'] },
        { key: 'OTHER', value: 'x' },
      ],
      protection: 'preview',
      bypass_secret: 'a secret that is long enough for this use',
      password: 'open sesame',
      auto_promote: false,
      preview_ttl_days: 7,
      spa: true,
      hsts: true,
      branch_addresses: false,
      start: 'node server.mjs',
      runtime: { memory_bytes: 256 * 1024 * 1024, health_path: '/health', idle_s: 60 },
      note: 'for the shop',
      git: { production_branch: 'trunk' },
    } satisfies Required<Inputs['projects']['put']>,
    { project: project.name, build: null, env: null, protection: null, bypass_secret: null, spa: null },
    { project: project.name, password: null, git: {} },
    { project: project.name, git: null },
    {
      project: project.name,
      auto_promote: null,
      preview_ttl_days: null,
      hsts: null,
      branch_addresses: null,
      note: null,
      start: null,
      runtime: { memory_bytes: null, health_path: '/up' },
    },
    { project: project.name, runtime: null },
  ],
  'domains.put': ({ domain, project }) => [
    { domain: domain.domain },
    {
      domain: domain.domain.toUpperCase(),
      project: project.name,
      redirect: { to: 'example.com', status: 307 },
    },
    { domain: domain.id, project: project.id, redirect: null },
    { domain: domain.id, project: null },
  ],
  'dns.put': ({ domain, record }) => [
    { domain: domain.domain, record: record.id },
    { domain: domain.domain, record: record.id, type: 'TXT', value: 'other', ttl: 600, comment: 'why' },
    { domain: domain.id, record: record.id, name: `@`, ttl: null, comment: null },
    { domain: domain.id, record: record.id, name: `other.${domain.domain}.` },
  ],
  'teams.put': ({ team }) => [
    { team: team.slug },
    {
      team: team.id,
      name: 'Another name',
      members: [
        { email: null, role: 'owner' },
        { email: 'Ada@example.com', role: 'owner' },
        { email: 'grace@example.com', role: 'member' },
      ],
    },
    { team: team.slug, members: [{ email: null, role: 'owner' }] },
  ],
}

let node: TestNode
let own: Fixture

beforeAll(async () => {
  node = await startOwnNode()
  own = await newFixture(node)
  // Its webhook receives all events, so that each recorded event would be a row.
  await made(own.team, 'POST', '/v1/webhooks', {
    url: 'https://hooks.example.com/all',
    events: eventTypes,
  })
})

afterAll(() => node.stop())

/**
 * All rows, and which transaction wrote each version of them; without keys, which record when they were used.
 */
async function versions(): Promise<Record<string, unknown>> {
  const { db } = node.installation.store
  const tables = await db
    .select({ name: sql<string>`tablename` })
    .from(sql`pg_tables`)
    .where(sql`schemaname = 'public' and tablename <> 'api_keys'`)
  const written = tables.map(async ({ name }) => {
    const rows = await db.execute(sql`select xmin::text from ${sql.identifier(name)} order by ctid`)
    return [name, JSON.stringify(rows)]
  })
  return { rows: await dumpTables(node), written: Object.fromEntries(await Promise.all(written)) }
}

const puts = operations.filter(({ method }) => method === 'PUT')

it('every PUT is covered', () => {
  expect(Object.keys(inputs).sort()).toEqual(puts.map(({ name }) => name).sort())
})

describe.each(puts)('$name', ({ name }) => {
  const put = (input: Record<string, unknown>) => callRest(node, own.team.ownerKey, name, input)

  it('returns the same response when repeated, and writes nothing', async () => {
    for (const input of inputs[name]?.(own) ?? []) {
      const { status, body } = await put(input)
      expect({ input, status }).toEqual({ input, status: 200 })
      const before = await versions()
      expect(await put(input)).toMatchObject({ status: 200, body })
      expect(await versions()).toEqual(before)
    }
  })

  it('changes a row when an input changes, or this test would prove nothing', async () => {
    const [first, ...others] = inputs[name]?.(own) ?? []
    await put(first ?? {})
    for (const input of others) {
      const before = await versions()
      await put(input)
      expect(await versions()).not.toEqual(before)
    }
  })
})
