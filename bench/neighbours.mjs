/**
 * What one team does to another on the same node: the other's times while it does its worst, within what it
 * is allowed.
 */
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { amount } from './amount.mjs'
import { attacks } from './attacks.mjs'
import { hasCommand, loadCores, moveToLoadCores, readUntil, start, stop } from './children.mjs'
import { freeDnsPort } from './peers/name-servers.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const usual = { rounds: amount(5, 1), seconds: amount(3, 0.2) }
const bar = 2

/** A question that isn't answered by then has failed, and counts as one that took this long. */
const patienceMs = 10_000

/** Until an attack is under way, and until nothing is left of it. */
const settleMs = amount(1_000, 100)
const quietMs = amount(5_000, 100)
const maxQuietRounds = amount(20, 1)

const attacker = fileURLToPath(new URL('peers/attacker.mjs', import.meta.url))

/**
 * Times of a team that has an open connection to the API and visitors to its site, alone and beside each
 * attack, by turns.
 */
export async function benchNeighbours({ directory, openDatabase, options }) {
  const { rounds, seconds, only } = { ...usual, ...options }
  const tried = attacks.filter(({ what }) => only === undefined || what === only)
  if (tried.length === 0)
    throw new Error(`There is no attack ${only}, but ${attacks.map(({ what }) => what).join(', ')}.`)
  const database = await openDatabase()
  const dnsPort = await freeDnsPort()
  const svc = await startSvc(join(directory, 'neighbours'), database.url, {
    SVC_DNS_PORT: String(dnsPort),
    SVC_NAMESERVERS: 'ns1.svc.test,ns2.svc.test',
    // As they are by default, but for the one that is looked at: what it asks is what is measured.
    SVC_RATE_FREE: '20/100',
    SVC_RATE_ANONYMOUS: '5/50',
    SVC_RATE_ENTERPRISE: '100000/100000',
    SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  })
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await sql`update teams set plan = 'enterprise'`
  await svc.call('PUT', '/v1/projects/web', {})
  await svc.deploy('web', 'index.html', Buffer.from('<h1>Hello</h1>'))
  const world = { svc, sql, dnsPort, directory, ...(await newTeam(svc)) }
  moveToLoadCores(process.pid)
  await database.moveAway()
  await timesOf(svc, seconds)

  const notes = []
  const latencies = []
  for (const { what, needs, prepare } of tried) {
    if (needs && !hasCommand(needs)) {
      notes.push(`${what}: left out, since ${needs} is not installed here.`)
      continue
    }
    console.error(`  ${what}…`)
    const settings = await prepare(world)
    const rows = { alone: [], beside: [] }
    const answers = {}
    for (let round = 0; round < rounds; round += 1) {
      await untilQuiet(svc)
      rows.alone.push(await timesOf(svc, seconds))
      const child = await begin(what, settings, world)
      rows.beside.push(await timesOf(svc, seconds))
      await end(child, answers)
    }
    for (const side of ['api', 'edge']) latencies.push(rowOf(what, side, rows))
    const got = Object.entries(answers).map(([status, count]) => `${count} × ${status}`)
    notes.push(`${what}: got ${got.join(', ') || 'no answer'}.`)
    const failed = rows.beside.reduce((sum, each) => sum + each.failed, 0)
    if (failed > 0) notes.push(`${what}: ${failed} questions of the other team were not answered.`)
  }
  await Promise.all([stop(svc.child), sql.end()])
  return {
    title: 'a team beside one that does its worst, 99 %, PostgreSQL',
    sides: ['alone', 'beside it'],
    notes,
    latencies,
  }
}

function rowOf(what, side, { alone, beside }) {
  const p99 = (times) => times[side][Math.floor(times[side].length * 0.99)]
  return { what: `${what}: ${side}`, few: median(alone.map(p99)), many: median(beside.map(p99)), bar }
}

/** Another team on the free plan, with its key. */
async function newTeam(svc) {
  const { ok, answer } = await svc.call('PUT', '/v1/teams/bad', {})
  if (!ok) throw new Error(`The team was answered with ${answer.message}`)
  return { team: answer.id, key: answer.api_key }
}

async function begin(what, settings, { svc, dnsPort, key }) {
  const ports = { apiPort: svc.apiPort, edgePort: svc.edgePort, dnsPort }
  const given = JSON.stringify({ ...ports, key, ...settings })
  // What measures goes before it.
  const child = start(loadCores, ['nice', '-n', '19', process.execPath, attacker, what, given])
  await readUntil(child, /ready/)
  await wait(settleMs)
  return child
}

/** Ends it, and adds what it got for answers. */
async function end(child, answers) {
  child.kill('SIGTERM')
  const told = JSON.parse(await readUntil(child, /\}\n/))
  for (const [status, count] of Object.entries(told)) answers[status] = (answers[status] ?? 0) + count
  await stop(child)
}

/** Until what the attack has left is worked off and the bucket of its team is full. */
async function untilQuiet(svc) {
  await wait(quietMs)
  for (let tries = 0; tries < maxQuietRounds; tries += 1) {
    const { api } = await timesOf(svc, 0.5)
    if (api[Math.floor(api.length / 2)] < 20) return
    await wait(settleMs)
  }
}

/** Asks the API on one connection and the site on new ones, one after another, for so long. */
async function timesOf(svc, seconds) {
  const times = { api: [], edge: [], failed: 0 }
  const kept = { port: svc.apiPort, path: '/v1/projects/web', headers: { authorization: svc.authorization } }
  const visit = { port: svc.edgePort, path: '/', headers: { host: 'web.localhost' }, agent: false }
  const endMs = performance.now() + seconds * 1_000
  while (performance.now() < endMs || times.edge.length === 0) {
    for (const [side, question] of [
      ['api', kept],
      ['edge', visit],
    ]) {
      const startMs = performance.now()
      const status = await ask(question)
      if (status !== 200) times.failed += 1
      times[side].push(status === 200 ? performance.now() - startMs : patienceMs)
    }
  }
  for (const side of ['api', 'edge']) times[side].sort((a, b) => a - b)
  return times
}

/** The status, once all of the answer is here; undefined where there is none. */
function ask(question) {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', timeout: patienceMs, ...question }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
      answer.once('error', () => resolve(undefined))
    })
    asked.once('timeout', () => asked.destroy(new Error('timeout')))
    asked.once('error', () => resolve(undefined))
    asked.end()
  })
}
