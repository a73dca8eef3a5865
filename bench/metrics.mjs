/** Metrics of a project with a request every second for 90 days, on PostgreSQL, over HTTP. */
import { join } from 'node:path'
import postgres from 'postgres'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { moveToLoadCores, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const warmUps = amount(20, 0)
const asked = amount(60, 1)
const otherProjects = amount(9, 0)

/** Measures each question on the same rows, one at a time and by turns. */
export async function benchMetrics({ directory, openDatabase }) {
  const database = await openDatabase()
  const svc = await startSvc(join(directory, 'metrics'), database.url)
  const { answer: project } = await svc.call('PUT', '/v1/projects/web')
  await fill(database.url, project.id)
  moveToLoadCores(process.pid)
  const isMoved = await database.moveAway()
  const connection = await openConnection(svc.apiPort)
  const headers = { host: 'localhost', authorization: svc.authorization }
  const names = Object.keys(questions)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < warmUps + asked; round += 1) {
    for (const name of names) {
      const { path, points } = questions[name](Date.now())
      const { ms, content } = await connection.ask(path, headers)
      const values = JSON.parse(content).points.filter(([, value]) => value > 0)
      if (values.length < points) throw new Error(`${path} lacks points: ${values.length}.`)
      if (round >= warmUps) samples[name].push(ms)
    }
  }
  connection.close()
  await stop(svc.child)
  return {
    title: 'metrics of a request a second, PostgreSQL',
    notes: isMoved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    durations: names.map((what) => ({ what, ms: median(samples[what]), bar: questions[what](0).bar })),
  }
}

const ask = (metric, agoMs, stepMs, points, bar) => (nowMs) => ({
  path: `/v1/metrics?metric=${metric}&project=web&since_ms=${nowMs - agoMs}&step_ms=${stepMs}`,
  points,
  bar,
})

const questions = {
  'requests, 90 days in steps of 2 hours': ask('requests', 90 * dayMs, 2 * hourMs, 1_000, 50),
  'latency_p95, 90 days in steps of 2 hours': ask('latency_p95', 90 * dayMs, 2 * hourMs, 1_000, 50),
  'latency_p95, 90 days in steps of a day': ask('latency_p95', 90 * dayMs, dayMs, 85, 50),
  'latency_p95, 3 days in steps of 5 minutes': ask('latency_p95', 2.9 * dayMs, 5 * minuteMs, 800, 50),
  'requests, the last hour': ask('requests', hourMs, minuteMs, 55, 20),
  'latency_p95, the last hour': ask('latency_p95', hourMs, minuteMs, 55, 20),
}

/**
 * As the program would have written and summed it up: minutes for 3 days, hours and days for 90, beside other
 * projects'.
 */
async function fill(url, projectId) {
  const { addFormatted, createLatencies, formatLatencies, latencyKey } = await import(
    '../dist/platform/observability/metrics/latencies.js'
  )
  const nowMs = Date.now()
  const histogramOf = (count) => {
    const latencies = createLatencies()
    for (let index = 0; index < count; index += 1) latencies.add(latencyKey(latency()))
    return formatLatencies(latencies)
  }
  const sumOf = (texts) => {
    const latencies = createLatencies()
    for (const text of texts) addFormatted(latencies, text)
    return formatLatencies(latencies)
  }
  const rows = []
  const add = (scope_id, span_ms, start_ms, requests, latencies) =>
    rows.push({
      scope_id,
      span_ms,
      start_ms,
      writer: 0,
      requests,
      bytes: requests * 10_000,
      errors: 0,
      latencies,
      responses_2xx: requests,
      responses_3xx: 0,
      responses_4xx: 0,
      responses_404: 0,
    })
  const hourly = Array.from({ length: 24 }, () => histogramOf(3_600))
  const daily = sumOf(hourly)
  const scopes = [projectId, ...Array.from({ length: otherProjects }, (_, index) => `prj_${index}`)]
  for (const scope of scopes) {
    const thisHour = Math.floor(nowMs / hourMs) * hourMs
    for (let ms = thisHour - 90 * dayMs; ms < thisHour; ms += hourMs) {
      add(scope, hourMs, ms, 3_600, hourly[(ms / hourMs) % 24])
    }
    const today = Math.floor(nowMs / dayMs) * dayMs
    for (let ms = today - 90 * dayMs; ms < today; ms += dayMs) add(scope, dayMs, ms, 86_400, daily)
    const thisMinute = Math.floor(nowMs / minuteMs) * minuteMs
    for (let ms = thisMinute - 3 * dayMs; ms <= thisMinute; ms += minuteMs)
      add(scope, minuteMs, ms, 60, histogramOf(60))
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    for (let at = 0; at < rows.length; at += 2_000) {
      await sql`insert into traffic ${sql(rows.slice(at, at + 2_000))}`
    }
    const due = scopes.map((scope_id) => ({
      span_ms: hourMs,
      start_ms: Math.floor(nowMs / hourMs) * hourMs,
      scope_id,
    }))
    await sql`insert into traffic_due ${sql(due)}`
    await sql`vacuum analyze traffic, traffic_due`
  } finally {
    await sql.end()
  }
}

/** Most are quick, and some take long: log-normal, in milliseconds. */
function latency() {
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
  return Math.exp(normal)
}
