/** Single rows, lists and look-ups of hosts with 100,000 deployments, beside the same program with 100. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { openConnection } from './ask.mjs'
import { moveToLoadCores, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const few = 100
const many = 100_000

const rounds = 10
/** In one round no question is asked twice, so that every look-up of a host is one in the database. */
const questionsARound = 40
const warmUpRounds = 4

/** For longer than this nothing that was looked up is used again. */
const maxAgeMs = 1_000

const sitesHost = 'localhost'

/** Measures both with the same questions, one at a time and by turns. */
export async function benchManyRows({ directory, openDatabase }) {
  const sides = []
  for (const count of [few, many])
    sides.push(await prepare(join(directory, `rows-${count}`), await openDatabase(), count))
  // From here on only the servers use their core.
  moveToLoadCores(process.pid)
  const isMoved = (await Promise.all(sides.map(({ database }) => database.moveAway()))).every(Boolean)

  const latencies = []
  for (const [what, question] of Object.entries(questions)) {
    const [ofFew, ofMany] = await askBoth(sides, question)
    latencies.push({ what, few: median(ofFew), many: median(ofMany), bar: 1.3 })
  }
  await Promise.all(sides.map(({ svc }) => stop(svc.child)))
  return {
    title: 'one of many deployments, PostgreSQL',
    sides: ['with 100 of them', 'with 100,000'],
    notes: isMoved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    latencies,
  }
}

/** What is asked for, by a number that no other question of the round has, and how many rows the answer has. */
const questions = {
  '`GET` of a deployment': ({ ids }, number) => ({ path: `/v1/deployments/${at(ids, number)}` }),
  '`GET` of a project': (_side, number) => ({ path: `/v1/projects/${number % 2 === 0 ? 'web' : 'docs'}` }),
  deployments: () => list(''),
  'deployments, a page in the middle': ({ cursors }, number) => list(`&cursor=${at(cursors, number)}`),
  'deployments of a project': () => list('&project=web'),
  'deployments for a target': () => list('&target=production'),
  'deployments in a state': () => list('&state=ready'),
  'deployments in a rare state': () => list('&state=canceled'),
  'deployments in two states': () => list('&state=error,canceled'),
  'deployments of a branch': () => list('&branch=main'),
  'deployments of a rare branch': () => list('&branch=old'),
  'deployments of a project in a rare state': () => list('&project=web&state=canceled'),
  'deployments by all filters': ({ lastMs }) =>
    list(`&project=web&target=preview&state=ready,error&branch=main&since_ms=1&until_ms=${lastMs}`),
  projects: () => ({ path: '/v1/projects', rows: 2 }),
  keys: () => ({ path: '/v1/apikeys', rows: 1 }),
  'a host of the edge': ({ labels }, number) => ({ host: `${at(labels, number)}.${sitesHost}`, path: '/' }),
}

const list = (filters) => ({ path: `/v1/deployments?limit=10${filters}`, rows: 10 })

/** Far apart for one number and the next, and each once before any comes again. */
const at = (values, number) => values[(number * 37) % values.length]

/** The times that the answers to a question took on each side, in milliseconds. */
async function askBoth(sides, question) {
  const samples = sides.map(() => [])
  const isOfEdge = question(sides[0].known, 0).host !== undefined
  const connections = await Promise.all(
    sides.map(({ svc }) => openConnection(isOfEdge ? svc.edgePort : svc.apiPort)),
  )
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const startMs = performance.now()
    for (let index = 0; index < questionsARound; index += 1) {
      for (const [side, { svc, known }] of sides.entries()) {
        const { path, host, rows } = question(known, round * questionsARound + index)
        const headers = host ? { host } : { host: sitesHost, authorization: svc.authorization }
        const { ms, content } = await connections[side].ask(path, headers)
        if (rows !== undefined && JSON.parse(content).data.length !== rows) {
          throw new Error(`${path} lacks rows.`)
        }
        if (round >= warmUpRounds) samples[side].push(ms)
      }
    }
    if (isOfEdge) await wait(Math.max(0, startMs + maxAgeMs - performance.now()))
  }
  for (const { close } of connections) close()
  return samples
}

async function prepare(directory, database, count) {
  const svc = await startSvc(directory, database.url)
  for (const name of ['web', 'docs']) await svc.call('PUT', `/v1/projects/${name}`)
  await svc.deploy('web', 'index.html', Buffer.from('<h1>Hello</h1>'))
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  try {
    await fill(sql, count)
    const rows =
      await sql`select id, host, created_ms from deployments where state = 'ready' order by md5(id) limit 2000`
    const later = rows.filter(({ created_ms }) => Number(created_ms) > count / 2)
    const known = {
      ids: rows.map(({ id }) => id),
      labels: rows.map(({ host }) => host),
      cursors: later.map(({ id, created_ms }) => encodeCursor([Number(created_ms), id])),
      lastMs: count,
    }
    return { database, svc, known }
  } finally {
    await sql.end()
  }
}

const encodeCursor = (key) => Buffer.from(JSON.stringify(key)).toString('base64url')

/**
 * Adds deployments to both projects, a millisecond apart, each at a host of its own and all with the same files. The first 40
 * differ in state and branch from all later ones.
 */
async function fill(sql, count) {
  await sql`
    insert into deployments (id, team_id, project_id, host, target, state, build, meta, manifest_id, files, bytes, created_by, created_ms)
    select 'dpl_' || replace(gen_random_uuid()::text, '-', ''), team_id, projects.id, 'site-' || i,
      case when i % 7 < 3 then 'production' else 'preview' end,
      case when i <= 40 then 'canceled' when i % 5 = 0 then 'error' else 'ready' end,
      build, jsonb_build_object('branch', case when i <= 40 then 'old' when i % 3 = 0 then 'next' else 'main' end),
      (select max(id) from manifests), 1, 14, 'usr_' || repeat('0', 32), i
    from generate_series(1, ${count}::int) as i
    join projects on name = case when i % 2 = 0 then 'web' else 'docs' end`
  await sql`
    insert into hosts (label, team_id, project_id, deployment_id)
    select host, team_id, project_id, id from deployments where host like 'site-%'`
  for (const table of ['deployments', 'hosts']) await sql.unsafe(`vacuum analyze ${table}`)
}
