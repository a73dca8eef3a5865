/** Recurring tasks remove nothing while the clock has jumped. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { createDomainResolver } from '../../../src/platform/domains/check/resolver.ts'
import { createLink } from '../../../src/platform/people/links.ts'
import { workerTasks } from '../../../src/roles/worker/tasks.ts'
import { setMark } from '../../../src/stores/clock/mark.ts'
import { createRemovalClock, type RemovalClock } from '../../../src/stores/clock/removal.ts'
import { logLines } from '../../../src/stores/db/schema/logs.ts'
import { traffic } from '../../../src/stores/db/schema/metrics.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { storage } from '../../../src/stores/db/schema/storage.ts'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { dumpTables } from '../../support/dump.ts'
import type { TestNode } from '../../support/node.ts'
import { believed } from '../../support/removal.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

const yearMs = 365 * 24 * 3_600_000

/** They add or replace, and remove nothing by age. */
const removeNothing = ['compress blobs', 'sum up traffic counts', 'recount stored bytes']

const log = createLogger({ write: () => {} })

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
})

afterAll(() => node.stop())

function tasksOf(removal: RemovalClock, store: Store, nowMs = Date.now) {
  const stopping = new AbortController().signal
  const routing = { addresses: [], cname: undefined }
  const resolver = createDomainResolver({ servers: ['127.0.0.1:1'], cname: undefined, nowMs, stopping })
  const kept = { logDays: 30, requestLogDays: 3, runtimeLogDays: 3, metricsDays: 400 }
  const stray = { trash: { days: 7, maxBytes: 1_000 }, strayLeft: () => {} }
  const { blobs } = node.installation
  const { sitesUrl, certifiedUrl } = node
  return workerTasks({
    store,
    blobs,
    outbox: undefined,
    apiUrl: () => undefined,
    sitesUrl,
    certifiedUrl,
    resolver,
    routing,
    removal,
    nowMs,
    stopping,
    log,
    ...kept,
    ...stray,
  })
}

it('each task that may remove something checks the time before any query', async () => {
  const refuse = () => {
    throw new Error('It queries the database without having checked the time.')
  }
  const untouchable = { get: refuse, apply: refuse }
  const { store } = node.installation
  const closed: Store = { ...store, db: new Proxy(store.db, untouchable), transact: refuse }
  const jumped: RemovalClock = { ask: async () => undefined, look: async () => undefined, jumpMs: () => 1 }
  for (const { name, run } of tasksOf(jumped, closed)) {
    if (removeNothing.includes(name)) continue
    expect(await run(new AbortController().signal), name).toBe(false)
  }
})

it('stray files are swept first after an hour, so that a wrong database is noticed before', () => {
  const believed: RemovalClock = { ask: async () => 0, look: async () => 0, jumpMs: () => 0 }
  const sweep = tasksOf(believed, node.installation.store).find(({ name }) => name === 'sweep stray objects')
  expect(sweep?.firstAfterMs).toBe(3_600_000)
})

/** Something of each kind that is removed by age, and the numbers of their rows. */
async function makeWhatAges(): Promise<void> {
  const { store } = node.installation
  await deploy(team)
  await team.owner('PUT', '/v1/projects/web', { preview_ttl_days: 7 })
  const again = await deploy(team, { project: 'other' })
  await team.owner('DELETE', `/v1/deployments/${again.id}`)
  await team.owner('POST', '/v1/apikeys', { name: 'ci' }, { 'idempotency-key': 'once' })
  const createdMs = Date.now()
  await createLink(store, 'ada@example.com', createdMs)
  await store.db.insert(sessions).values({
    id: 'session_1',
    userId: team.ownerId,
    tokenSha256: 'x',
    createdMs,
    updatedMs: createdMs,
    expiresMs: createdMs + 1_000,
  })
  for (const kind of ['build', 'request', 'git', 'runtime'] as const) {
    await store.db.insert(logLines).values({ ...lineOf(kind), timeMs: createdMs })
  }
  const counts = { requests: 1, bytes: 1, errors: 0, latencies: '' }
  const minute = { spanMs: 60_000, startMs: createdMs - (createdMs % 60_000), writer: 1 }
  await store.db.insert(traffic).values({ scopeId: team.id, ...minute, ...counts })
}

/** A log line without its time. */
function lineOf(kind: 'build' | 'request' | 'git' | 'runtime') {
  return { teamId: team.id, kind, level: 'info' as const, message: 'a line', fields: {} }
}

/** The tables that lost rows while all tasks ran once at this time. */
async function tablesThatLose(nowMs: () => number): Promise<string[]> {
  const { store } = node.installation
  const removal = createRemovalClock({ db: store.db, nowMs, jumpDays: 30, log })
  await store.db.delete(turns)
  const before = await dumpTables(node)
  for (const { run } of tasksOf(removal, store, nowMs)) await run(new AbortController().signal)
  const after = await dumpTables(node)
  return Object.keys(before).filter((table) => {
    const left = new Set(after[table])
    return before[table]?.some((row) => !left.has(row))
  })
}

it('nothing is removed by a clock that is a year ahead, until an administrator confirms it', async () => {
  await makeWhatAges()
  const ahead = () => Date.now() + yearMs
  // It sums up counts, and polls what is due for compression or delivery: nothing else.
  const changed = await tablesThatLose(ahead)
  expect(changed.filter((table) => !['blobs', 'traffic_due'].includes(table))).toEqual([])
  await setMark(node.installation.store.db, ahead())
  expect(await tablesThatLose(ahead)).toEqual(
    expect.arrayContaining([
      ...['deployments', 'events', 'hosts', 'idempotency_keys', 'log_lines'],
      ...['manifests', 'person_links', 'sessions', 'traffic'],
    ]),
  )
})

it('a team’s storage is recounted once a day', async () => {
  const { store } = node.installation
  const usedBytes = async () => (await team.owner('GET', '/v1/overview')).body.storage.used_bytes
  const recount = tasksOf(believed(Date.now), store).find(({ name }) => name === 'recount stored bytes')
  const before = await usedBytes()
  const drift = () => store.db.update(storage).set({ usedBytes: before + 1 })
  await store.db.delete(turns)
  await drift()
  await recount?.run(new AbortController().signal)
  expect(await usedBytes()).toBe(before)
  await drift()
  await recount?.run(new AbortController().signal)
  expect(await usedBytes()).toBe(before + 1)
})
