/**
 * What operations cost the database: processor time of PostgreSQL and of the program, and bytes. `npm run
 * build`, then `node bench/database-costs.mjs`, some minutes. The figures of simulate-fleet.mjs are from
 * here.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { writeLines } from '../dist/platform/deployments/log/write-lines.js'
import { writeMinutes } from '../dist/platform/observability/metrics/write.js'
import { findSite } from '../dist/roles/edge/find-site.js'
import { loadManifest } from '../dist/roles/edge/load-manifest.js'
import { createFreshCache } from '../dist/stores/cache/fresh-cache.js'
import { openPostgres } from '../dist/stores/db/open-database.js'
import { amount } from './amount.mjs'
import { stop } from './children.mjs'
import { createDatabase } from './database.mjs'
import { fill } from './rows/fill.mjs'
import { startSvc } from './svc.mjs'

const deployments = amount(100_000, 2_000)
const atOnce = 16
const listeners = 20

/** Linux counts processor time for us in hundredths of a second. */
const microsecondsPerTick = 10_000

const directory = mkdtempSync(join(tmpdir(), 'svc-costs-'))
const database = await createDatabase(1)
const svc = await startSvc(directory, database.url, { SVC_ROLES: 'api,edge' })
const sql = postgres(database.url, { max: 1, onnotice: () => {} })
const own = openPostgres(database.url, 4)
try {
  await fill(svc, database.url, deployments)
  const projects = await sql`select id, team_id from projects order by id limit 1000`
  const rows = [
    ...(await measureLookUps()),
    ...(await measureCalls()),
    ...(await measureEdgeWrites(projects)),
    ...(await measureConnections()),
    ...(await measureNotifications()),
    await measureForgetting(),
  ]
  console.table(rows)
} finally {
  await own.close()
  await sql.end()
  await stop(svc.child)
  await database.drop()
  rmSync(directory, { recursive: true, force: true })
}

async function measureLookUps() {
  const labels = (await sql`select label from hosts order by label limit 5000`).map(({ label }) => label)
  const lookUp = (n) => findSite(own.lookUps, labels[n % labels.length])
  await repeat(1_000, lookUp)
  return [await measure('look-up of a site', amount(50_000, 500), lookUp)]
}

async function measureCalls() {
  const file = (n, size) => ({ path: `f${n}.txt`, content_base64: randomBytes(size).toString('base64') })
  const list = (count, from) => Array.from({ length: count }, (_, n) => file(from + n, 1_000))
  const known = list(99, 1)
  const deploy = (files) => must('POST', '/v1/deployments', { project: 'web', target: 'preview', files })
  const made = await must('POST', '/v1/deployments', {
    project: 'web',
    target: 'production',
    files: [file(0, 10)],
  })
  const other = await must('POST', '/v1/deployments', {
    project: 'web',
    target: 'production',
    files: [file(1, 10)],
  })
  const read = () => must('GET', '/v1/projects/web')
  const promote = (n) => must('POST', `/v1/deployments/${[made, other][n % 2].id}/promote`)
  await repeat(200, read)
  return [
    await measure('GET of a project with a key', amount(20_000, 200), read),
    await measure('deployment of 1 new file', amount(1_000, 20), () => deploy(list(1, 0))),
    await measure('deployment of 100 new files', amount(100, 2), () => deploy(list(100, 0))),
    await measureManifest(deploy, list(20, 0)),
    await measure('deployment of 100 files, 1 new', amount(200, 2), () => deploy([...list(1, 0), ...known])),
    await measure('promotion', amount(1_000, 20), promote, 1),
  ]
}

async function measureManifest(deploy, files) {
  const { id } = await deploy(files)
  const [{ manifest_id: manifest }] = await sql`select manifest_id from deployments where id = ${id}`
  return measure('manifest of 20 files', amount(5_000, 50), () =>
    loadManifest(own.db, Number(manifest), 2_001),
  )
}

async function must(method, path, body) {
  const { ok, answer } = await svc.call(method, path, body)
  if (!ok) throw new Error(`${method} ${path}: ${answer.message}`)
  return answer
}

/** What an edge writes twice a second: counts of each project in use, and lines of its log. */
async function measureEdgeWrites(projects) {
  const startMs = Math.floor(Date.now() / 60_000) * 60_000
  const minutes = (n) =>
    projects.map(({ id }) => ({
      scopeId: id,
      startMs,
      writer: 1,
      requests: n + 1,
      bytes: n,
      errors: 0,
      latencies: '10:1,20:3',
      responses2xx: n + 1,
      responses3xx: 0,
      responses4xx: 0,
      responses404: 0,
    }))
  const fields = {
    method: 'GET',
    host: 'a.example.com',
    path: '/about',
    status: 200,
    bytes: 10_000,
    duration_ms: 1,
  }
  const lines = () =>
    projects.slice(0, 500).map(({ id, team_id }) => ({
      teamId: team_id,
      projectId: id,
      deploymentId: null,
      level: 'info',
      message: 'GET /about 200',
      fields,
      timeMs: Date.now(),
    }))
  const ofMinutes = await measure('', amount(50, 2), (n) => writeMinutes(own.db, minutes(n)), 1)
  const ofLines = await measure('', amount(50, 2), () => writeLines(own.db, 'request', lines()), 1)
  return [
    perPart('row of traffic counts, 1,000 in a statement', ofMinutes, projects.length),
    perPart('line of the request log, 500 in a statement', ofLines, Math.min(projects.length, 500)),
  ]
}

/** A commit that notifies nobody, and the same with listeners. */
async function measureNotifications() {
  const notify = () => sql`select pg_notify('svc_changes', ${'x'.repeat(150)})`
  const alone = await measure('commit with a notification', amount(2_000, 20), notify, 1)
  const heard = await Promise.all(
    Array.from({ length: listeners }, async () => {
      const listener = postgres(database.url, { max: 1, fetch_types: false })
      await listener.listen('svc_changes', () => {})
      return listener
    }),
  )
  const all = await measure('', amount(2_000, 20), notify, 1)
  await Promise.all(heard.map((listener) => listener.end()))
  const each = (all['PostgreSQL, µs'] - alone['PostgreSQL, µs']) / listeners
  return [alone, { operation: 'the same, for each node that listens', 'PostgreSQL, µs': round(each) }]
}

/** What an edge does when it hears that a project changed. */
async function measureForgetting() {
  const [sites, changes] = [10_000, amount(200, 20)]
  const load = async (host) => ({ kind: 'files', projectId: `prj_${host}` })
  const cache = createFreshCache({ load, maxAgeMs: 60_000, maxEntries: sites })
  for (let host = 0; host < sites; host += 1) await cache.get(String(host))
  const before = process.cpuUsage()
  for (let change = 0; change < changes; change += 1)
    cache.forgetWhere((site) => site.projectId === 'another')
  const { user, system } = process.cpuUsage(before)
  return { operation: 'change, at an edge with 10,000 sites', 'svc, µs': round((user + system) / changes) }
}

/** The memory of the backends that this run uses, without what they share. */
async function measureConnections() {
  const pids = await backends()
  const kilobytes = pids.map((pid) => {
    const [, value] = /^Private_Dirty: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(value)
  })
  const mean = kilobytes.reduce((sum, each) => sum + each, 0) / pids.length / 1_024
  return [{ operation: 'connection in use', 'memory, MB': round(mean) }]
}

function perPart(operation, measured, parts) {
  const [time, bytes] = ['PostgreSQL, µs', 'bytes'].map((name) => round(measured[name] / parts))
  return { operation, 'PostgreSQL, µs': time, bytes }
}

/** Processor time and growth of the database for each of `count` runs of `work`. */
async function measure(operation, count, work, parallel = atOnce) {
  const [sqlBefore, svcBefore, sizeBefore] = [await databaseTicks(), ticks(svc.child.pid), await size()]
  await repeat(count, work, parallel)
  const used = (after, before) => round(((after - before) * microsecondsPerTick) / count)
  return {
    operation,
    'PostgreSQL, µs': used(await databaseTicks(), sqlBefore),
    'svc, µs': used(ticks(svc.child.pid), svcBefore),
    bytes: round(((await size()) - sizeBefore) / count),
  }
}

async function repeat(count, work, parallel = atOnce) {
  let next = 0
  const run = async () => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: parallel }, run))
}

async function size() {
  const [row] = await sql`select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`
  return Number(row.bytes)
}

async function backends() {
  const rows = await sql`select pid from pg_stat_activity where datname = current_database()`
  return rows.map(({ pid }) => pid)
}

async function databaseTicks() {
  return (await backends()).reduce((sum, pid) => sum + ticks(pid), 0)
}

/** User and system time of a process; see proc(5). */
function ticks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function round(value) {
  return Number(value.toPrecision(3))
}
