/**
 * Every GET and the look-ups of hosts with 1,000,000 deployments and 100,000 of the rest, beside the same
 * program with 1,000.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { moveToLoadCores, residentBytes, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { fill } from './rows/fill.mjs'
import { questions, readKnown, shown } from './rows/questions.mjs'
import { startSvc } from './svc.mjs'

const few = 1_000
const many = amount(1_000_000, 2_000)
const bar = 1.3

const rounds = amount(10, 1)
const warmUpRounds = amount(4, 0)
/** In one round no question is asked twice. */
const questionsARound = amount(30, 2)
/** Of hosts each is asked for once in all, as far as there are so many. */
const hostsARound = amount(22, 2)

/** For longer than this nothing that was looked up is used again. */
const maxAgeMs = 1_000

const writes = amount(100, 2)
const starts = amount(5, 1)
const restMs = amount(5_000, 0)

/** Measures both with the same questions, one at a time and by turns. */
export async function benchManyRows({ directory, openDatabase }) {
  const sides = []
  for (const rows of [few, many]) {
    sides.push(await prepare(join(directory, `rows-${rows}`), await openDatabase(), rows))
  }
  return measureSides(sides)
}

/** A database with so many rows, and what starts the program on it. */
async function prepare(directory, database, rows) {
  const settings = {
    SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    // Longer than what is filled in reaches back.
    SVC_REQUEST_LOG_DAYS: '30',
  }
  const svc = await startSvc(directory, database.url, { ...settings, SVC_ROLES: 'api,edge' })
  await fill(svc, database.url, rows)
  await stop(svc.child)
  const restart = (more = {}) =>
    startSvc(directory, database.url, { ...settings, ...more }, { firstAuthorization: svc.authorization })
  return { database, restart }
}

/**
 * @param {{ database: any, restart: (settings?: object) => Promise<any> }[]} stores the one with few rows,
 * then that with many
 */
async function measureSides(stores) {
  const latencies = await measureStarts(stores)
  const sides = []
  for (const { database, restart } of stores) {
    const svc = await restart({ SVC_ROLES: 'api,edge' })
    const sql = postgres(database.url, { max: 1, onnotice: () => {} })
    sides.push({ database, svc, known: await readKnown(sql, svc) })
    await sql.end()
  }
  // From here on only the servers use their core.
  moveToLoadCores(process.pid)
  const isMoved = (await Promise.all(sides.map(({ database }) => database.moveAway()))).every(Boolean)
  for (const [what, question] of Object.entries({ ...questions, ...shown })) {
    const [ofFew, ofMany] = await askBoth(sides, question)
    const row = { what, few: median(ofFew), many: median(ofMany) }
    latencies.push(what in shown ? row : { ...row, bar })
  }
  for (const [what, write] of Object.entries(writing)) {
    const [ofFew, ofMany] = await writeBoth(sides, write)
    latencies.push({ what, few: median(ofFew), many: median(ofMany) })
  }
  await Promise.all(sides.map(({ svc }) => stop(svc.child)))
  return {
    title: 'one of many rows, PostgreSQL',
    sides: ['with 1,000 deployments', 'with 1,000,000'],
    notes: isMoved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    latencies,
  }
}

/** The times that the answers to a question took on each side, in milliseconds. */
async function askBoth(sides, question) {
  const samples = sides.map(() => [])
  const isOfEdge = question(sides[0].known, 0).host !== undefined
  const count = isOfEdge ? hostsARound : questionsARound
  const connections = await Promise.all(
    sides.map(({ svc }) => openConnection(isOfEdge ? svc.edgePort : svc.apiPort)),
  )
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const startMs = performance.now()
    for (let index = 0; index < count; index += 1) {
      for (const [side, { svc, known }] of sides.entries()) {
        const { path, host, rows, authorization } = question(known, round * count + index)
        const headers = host
          ? { host }
          : { host: 'localhost', authorization: authorization ?? svc.authorization }
        const { ms, content } = await connections[side].ask(path, headers)
        if (rows !== undefined) checkRows(path, JSON.parse(content).data.length, rows)
        if (round >= warmUpRounds) samples[side].push(ms)
      }
    }
    if (isOfEdge) await wait(Math.max(0, startMs + maxAgeMs - performance.now()))
  }
  for (const { close } of connections) close()
  return samples
}

function checkRows(path, found, expected) {
  if (found !== expected) throw new Error(`${path} has ${found} rows instead of ${expected}.`)
}

const index = { path: 'index.html', content: '<h1>Hello</h1>' }

/** What is changed, by a number that no other change has. */
const writing = {
  '`POST` of a deployment of one file': () => [
    'POST',
    '/v1/deployments',
    { project: 'web', target: 'preview', files: [index] },
  ],
  '`PUT` of a project, unchanged': () => ['PUT', '/v1/projects/web', {}],
  '`PUT` of a new project': (_known, number) => ['PUT', `/v1/projects/new-${number}`, {}],
  promote: ({ promotable }, number) => [
    'POST',
    `/v1/deployments/${promotable[number % promotable.length]}/promote`,
  ],
}

async function writeBoth(sides, write) {
  const samples = sides.map(() => [])
  for (let number = 0; number < writes; number += 1) {
    for (const [side, { svc, known }] of sides.entries()) {
      const startMs = performance.now()
      const { ok, answer } = await svc.call(...write(known, number))
      samples[side].push(performance.now() - startMs)
      if (!ok) throw new Error(answer.message)
    }
  }
  return samples
}

/** How long a start takes until it is ready, beyond that of Node; and what is in memory a while later. */
async function measureStarts(stores) {
  const times = stores.map(() => [])
  const memory = []
  for (let start = 0; start < starts; start += 1) {
    for (const [side, { restart }] of stores.entries()) {
      const startMs = performance.now()
      const svc = await restart({ SVC_DNS_PORT: '0' })
      times[side].push(performance.now() - startMs)
      if (start === starts - 1) {
        await wait(restMs)
        memory.push(residentBytes(svc.child) / 1e6)
      }
      await stop(svc.child)
    }
  }
  const [startFew, startMany] = times.map(median)
  return [
    { what: 'start to ready, all roles', few: startFew, many: startMany },
    { what: 'memory at rest, all roles, MB', few: memory[0], many: memory[1] },
  ]
}
