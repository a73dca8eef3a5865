/**
 * How much PostgreSQL reads for each statement that a node sends: for every query of a client, every change,
 * the look-ups of the edge and of the name server, and recurring tasks. The statements are those of a node in
 * use, on a database with many rows.
 */
import { readFile } from 'node:fs/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../../src/api/routers/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { failOverdueBuilds } from '../../../src/platform/deployments/queued/fail-overdue.ts'
import { createDomainResolver } from '../../../src/platform/domains/check/resolver.ts'
import { readRestarts, readServer } from '../../../src/platform/servers/read-server.ts'
import { workerTasks } from '../../../src/roles/worker/tasks.ts'
import { createRemovalClock } from '../../../src/stores/clock/removal.ts'
import { cases, newFixture } from '../../api/server/every-procedure.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { byUdp, query } from '../../roles/nameserver/client.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { createDatabase } from '../../support/databases.ts'
import { openEvents } from '../../support/event-stream.ts'
import { explainAgain, nodesOf, type Plan } from '../../support/explain.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { isShort } from '../../support/short.ts'
import { type Recorder, recordStatements, type Statement } from '../../support/statements.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { vacuumAnalyze } from '../../support/vacuum.ts'
import { everyQuery, type Known } from './every-query.ts'

/**
 * In `npm test`, so few that reading a whole table is often best: only whether there is another way is
 * checked.
 */
const rows = isShort ? 8_000 : 40_000

/**
 * Tables that grow with teams' use have more rows than this, and those that grow most more than the other.
 */
const large = 200
const huge = 10_000

let database: Awaited<ReturnType<typeof createDatabase>>
let recorder: Recorder
let client: postgres.Sql
let node: TestNode
let team: TestTeam
let known: Known

beforeAll(async () => {
  if (!process.env.TEST_ON) return
  database = await createDatabase(process.env.TEST_ON)
  recorder = await recordStatements(database.url)
  client = postgres(database.url, {
    max: 1,
    onnotice: () => {},
    fetch_types: false,
    // It changes no plan, and compiles for longer than most of them run.
    connection: { jit: 'off' },
  })
  node = await startTestNode({
    DATABASE_URL: recorder.url,
    SVC_DNS_PORT: '0',
    SVC_REQUEST_LOG_DAYS: '30',
    SVC_RUNTIME_LOG_DAYS: '30',
  })
  team = await newTeam(node)
  known = await fill()
}, 120_000)

afterAll(async () => {
  await node?.stop()
  recorder?.close()
  await client?.end()
  await database?.drop()
})

async function fill(): Promise<Known> {
  const { body: web } = await team.owner('PUT', '/v1/projects/web')
  recorder.cause = 'a project of a thousand domains'
  await deploy(team, { project: 'zz-shop', target: 'production' })
  const { body: shop } = await team.owner('GET', '/v1/projects/zz-shop')
  recorder.cause = 'the start'
  const { body: zone } = await team.owner('PUT', '/v1/domains/bigzone.com')
  const [blob] = await client`select max(id) as id from blobs`
  const settings = { rows, team: team.id, project: web.id, shop: shop.id, zone: zone.id, blob: blob?.id }
  for (const [name, value] of Object.entries(settings)) {
    await client`select set_config(${`fill.${name}`}, ${String(value)}, false)`
  }
  await client.unsafe(await readFile(new URL('../../../bench/rows/fill.sql', import.meta.url), 'utf8'))
  // Plans follow from a sample of rows, which is drawn: as large as this, it is all of them in each run.
  await client`set default_statistics_target = 1000`
  await vacuumAnalyze(client)
  const [found] = await client`
    select projects.id, projects.name, deployments.id as deployment, domains.domain, records.id as record,
      webhooks.id as webhook, deployments.created_ms as middle_ms
    from projects join deployments on deployments.project_id = projects.id
    join domains on domains.project_id = projects.id and verified_ms is not null
    join records on records.fqdn = 'h7.bigzone.com' join webhooks on url like '%/1'
    where projects.team_id = ${team.id} and projects.name like 'site-%'
    order by abs(deployments.created_ms -
      (select (min(created_ms) + max(created_ms)) / 2 from events)) limit 1`
  const { id, name, middle_ms, ...ids } = z
    .object({
      id: z.string(),
      name: z.string(),
      deployment: z.string(),
      domain: z.string(),
      record: z.string(),
      webhook: z.string(),
      middle_ms: z.coerce.number(),
    })
    .parse(found)
  return { ...ids, project: { id, name }, team, middleMs: middle_ms }
}

const procedures = z.record(
  z.string(),
  z.custom<{ _def: { type: string } }>((value) => typeof value === 'function' && '_def' in value),
)

const namesOf = (type: 'query' | 'mutation') =>
  Object.entries(procedures.parse(appRouter._def.procedures)).flatMap(([name, { _def }]) =>
    _def.type === type ? [name] : [],
  )

/** How many rows it may read: as many as a page of a hundred needs, with exceptions where it may be more. */
const usual = 700
const budgets: [causeAndText: RegExp, rows: number][] = [
  // `npm test` has so few users that a join with a team's members reads all of them.
  [/^teams.put .*"members" inner join "users"/, 1_000],
  // Each of a few hundred results, at most as many as are under way, has its delivery and its webhook.
  [/with results as \(/, 2_000],
  // Each has a host of its own beside those of its branch.
  [/^deployments.list /, 800],
  // Five hundred names are examined first.
  [/^projects.(list|summaries) .*"q"/, 2_000],
  // The positions of 5,000 lines of each kind and level, then these lines.
  [/^observability.logs .*"(q|status|host)"/, 20_000],
  // A thousand rows of each counted table.
  [/^observability.overview/, 8_000],
  // It reports the names of all its domains.
  [/^a project of a thousand domains/, 1_500],
  // A zone has 10,000 records at most: they are counted before one is added, and a name server loads all of
  // them.
  [/dns.(create|importZone|check)|^what .* is tried on|^the name server/, 10_000],
  // The pending deliveries of each webhook are counted, up to the limit.
  [/^the worker: give up deliveries/, 1_000],
  [/^the worker/, 100],
]

/** Statements that read a whole table, and why. */
const exceptions: [text: RegExp, reason: string][] = [
  [
    /^select \(select count\(\*\) from \(select 1 from "projects" where "projects"."team_id" = \$1 \) as f/,
    'full counts are taken once a minute at most',
  ],
  [
    /^update "registrable_domains" set .*changed_ms" = \(extract\(epoch from .+\) \* 1000\)::bigint$/,
    'a node was started with other settings: all zones change',
  ],
  [
    /^select "object", "size" from "blobs" order by random\(\) limit \$1$/,
    'once in the life of an installation: whether database and files belong together',
  ],
  [
    /^select "team_id", "used_bytes" = \(select coalesce/,
    'once a day, a few teams at a time: whether what is counted is what is stored',
  ],
  [/pg_catalog\.pg_type/, 'types of the database itself'],
]

function rowsOf(plan: Plan): number {
  return nodesOf(plan)
    .filter((each) => each['Node Type'].includes('Scan') && (each['Relation Name'] ?? each['Index Name']))
    .reduce(
      (total, each) =>
        total +
        each['Actual Loops'] *
          (each['Actual Rows'] + each['Rows Removed by Filter'] + each['Rows Removed by Index Recheck']),
      0,
    )
}

const isOfRows = /^\s*(select|with|insert|update|delete|\()/i

/**
 * Plans for the parameters of a statement, and generic ones; a missing index is visible in both, so `npm
 * test` checks one.
 */
const modes = isShort ? ['force_generic_plan'] : ['force_custom_plan', 'force_generic_plan']

/** The problems of these statements. */
async function problemsOf(statements: Statement[]): Promise<string[]> {
  const found = await client`select relname, reltuples from pg_class where relkind = 'r'`
  const sizes = new Map(found.map(({ relname, reltuples }) => [String(relname), Number(reltuples)]))
  const problems: string[] = []
  for (const statement of statements) {
    if (!isOfRows.test(statement.text) || exceptions.some(([text]) => text.test(statement.text))) continue
    for (const mode of modes) {
      const ways = [
        ...(isShort
          ? []
          : scansIn(await explainAgain(client, { plan_cache_mode: mode }, statement), sizes, huge)),
        ...(await readsOf(statement, mode, sizes)),
      ]
      for (const problem of ways) {
        problems.push(
          `${statement.cause} ${problem} (${mode}): ${statement.text} ${JSON.stringify(statement.params)}`,
        )
      }
    }
  }
  return problems
}

/** The problems if tables are so large that none is read whole, unless there is no other way. */
async function readsOf(statement: Statement, mode: string, sizes: Map<string, number>): Promise<string[]> {
  const plan = await explainAgain(client, { plan_cache_mode: mode, enable_seqscan: 'off' }, statement)
  const most = budgets.find(([what]) => what.test(`${statement.cause} ${statement.text}`))?.[1] ?? usual
  const read = plan ? rowsOf(plan) : 0
  return [...scansIn(plan, sizes, large), ...(read > most ? [`reads ${read} rows`] : [])]
}

/** The tables of more than `most` rows that are read whole. */
function scansIn(plan: Plan | undefined, sizes: Map<string, number>, most: number): string[] {
  if (!plan) return []
  const scanned = nodesOf(plan).flatMap((each) =>
    each['Node Type'] === 'Seq Scan' && (sizes.get(each['Relation Name'] ?? '') ?? 0) > most
      ? [`scans ${each['Relation Name']}`]
      : [],
  )
  return [...new Set(scanned)]
}

let explained = 0
const seen = new Set<string>()

/** The statements since the last call; in `npm test`, each is explained with its first parameters only. */
function newProblems(): Promise<string[]> {
  const sent = recorder.statements().slice(explained)
  explained += sent.length
  return problemsOf(isShort ? sent.filter(({ text }) => isFirst(seen, text)) : sent)
}

/** In `npm test`, one input for each set of fields. */
function tried(inputs: object[]): object[] {
  const shapes = new Set<string>()
  return isShort ? inputs.filter((input) => isFirst(shapes, Object.keys(input).join())) : inputs
}

function isFirst(known: Set<string>, text: string): boolean {
  const size = known.size
  return known.add(text).size > size
}

const stopping = new AbortController().signal

describe.runIf(process.env.TEST_ON)('with many rows', () => {
  /** Invitations and the account belong to a user, whichever team the user acts in. */
  const callerOf = async (name: string): Promise<Api> =>
    /invitation|^account/i.test(name) ? (await newSession(node, team.ownerId)).api : team.owner

  it('every query of a client has its inputs', () => {
    expect(Object.keys(everyQuery).sort()).toEqual(namesOf('query').sort())
  })

  it('a query reads no more than its results', async () => {
    for (const [name, inputs] of Object.entries(everyQuery)) {
      recorder.cause = name
      for (const input of tried(inputs(known))) {
        recorder.cause = `${name} ${JSON.stringify(input)}`
        const path = `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
        const { status, body } = await (await callerOf(name))('GET', path)
        expect([200, 404], JSON.stringify(body)).toContain(status)
      }
    }
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'a member', role: 'member' })
    recorder.cause = 'tokens.listKeys of a member'
    await apiOf(node, key.token)('GET', '/v1/apikeys')
    expect(await newProblems()).toEqual([])
  }, 300_000)

  it('a change reads no more than it changes', async () => {
    for (const [name, { input, prepare }] of Object.entries(cases)) {
      if (!namesOf('mutation').includes(name)) continue
      recorder.cause = `what ${name} is tried on`
      const own = await newFixture(node, team)
      await prepare?.(own)
      recorder.cause = name
      await (await callerOf(name))('POST', `/trpc/${name}`, input(own))
      recorder.cause = 'what remains of that'
      await team.owner('DELETE', `/v1/webhooks/${own.webhook.id}`)
    }
    recorder.cause = 'a deploy hook'
    for (const branch of [null, 'main']) {
      const input = { project: known.project.name, name: 'cms', branch }
      const { body } = await team.owner('POST', '/trpc/hooks.create', input)
      const { status } = await fetch(body.result.data.url, { method: 'POST' })
      expect([201, 409]).toContain(status)
    }
    expect(await newProblems()).toEqual([])
  }, 300_000)

  it('a stream of events reads only the latest', async () => {
    recorder.cause = 'events.follow'
    const input = JSON.stringify({ lastEventId: newId('event', Date.now() - 60_000) })
    const headers = { authorization: `Bearer ${team.ownerKey}` }
    const stream = await openEvents(node, headers, `input=${encodeURIComponent(input)}`)
    await expect.poll(stream.types).toContain('connected')
    expect(await newProblems()).toEqual([])
  })

  it('a look-up of the edge or of the name server reads only its results', async () => {
    recorder.cause = 'the edge'
    const sites = new URL(node.sitesUrl)
    for (const label of ['d-2', 'site-7', 'nothing']) await visit(`http://${label}.${sites.host}`)
    for (const domain of [known.domain, 'nothing.com']) await visit(`http://${domain}:${sites.port}`)
    recorder.cause = 'the servers of a node'
    const { db } = node.installation.store
    await readServer(db, known.deployment)
    await readRestarts(db, [known.deployment, newId('deployment', 1)])
    recorder.cause = 'the name server'
    for (const [name, type] of [
      ['h7.bigzone.com', 'A'],
      ['www.d1.com', 'A'],
      ['nothing.com', 'A'],
    ] as const) {
      expect(await byUdp(node.dnsPort ?? 0, query(name, type))).toBeDefined()
    }
    expect(await newProblems()).toEqual([])
  }, 120_000)

  it('recurring tasks read next to nothing while there is nothing to do', async () => {
    const { store, blobs } = node.installation
    const resolver = createDomainResolver({
      servers: ['127.0.0.1:1'],
      cname: undefined,
      nowMs: Date.now,
      stopping,
    })
    const log = createLogger({ write: () => {} })
    const removal = createRemovalClock({ db: store.db, nowMs: Date.now, jumpDays: 30, log })
    const tasks = workerTasks({
      store,
      blobs,
      outbox: { add() {}, close: async () => {} },
      apiUrl: () => undefined,
      resolver,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      logDays: 30,
      requestLogDays: 3,
      runtimeLogDays: 3,
      metricsDays: 400,
      trash: { days: 7, maxBytes: 1_000_000 },
      strayLeft: () => {},
      nowMs: Date.now,
      removal,
      stopping,
      routing: { addresses: [], cname: undefined },
      log,
    })
    await client`delete from turns`
    for (const { name, run } of tasks) {
      recorder.cause = `the worker: ${name}`
      await run(stopping)
    }
    recorder.cause = 'the worker: builds past their time'
    await failOverdueBuilds({
      store,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      nowMs: Date.now,
      limits: { queueTimeoutMs: 3_600_000, buildTimeoutMs: 600_000 },
    })
    expect(await newProblems()).toEqual([])
  }, 120_000)
})
