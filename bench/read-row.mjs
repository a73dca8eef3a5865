/** One row with a key, on PostgreSQL, beside a bare Fastify that does the same look-up in SQL. */
import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { readUntil, serverCores, start, stop } from './children.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const peer = fileURLToPath(new URL('peers/fastify-lookup.mjs', import.meta.url))
const path = '/v1/projects/bench'

const project = {
  build: { install_command: 'npm ci', build_command: 'npm run build', output_directory: 'dist' },
  env: [
    { key: 'API_BASE', value: 'https://api.example.com', target: ['production', 'preview'] },
    { key: 'ANALYTICS_ID', value: 'G-0000000', target: ['production'] },
  ],
}

/** Measures both against the same row of the same database. */
export async function benchReadRow({ directory, openDatabase }) {
  const database = await openDatabase()
  const svc = await startSvc(join(directory, 'read-row'), database.url)
  const { ok, answer } = await svc.call('PUT', path, project)
  if (!ok) throw new Error(`The project couldn't be made: ${answer.message}`)
  const teamId = await onlyTeam(database.url)

  const sitesHost = `localhost:${svc.edgePort}`
  const headers = { authorization: svc.authorization }
  const ours = { name: 'svc', child: svc.child, url: svc.apiUrl + path, headers }
  // Ten connections are what postgres.js makes by default; with one, look-ups made together travel together.
  const pooled = await startPeer('bare Fastify, SQL', database.url, 10, teamId, sitesHost, headers)
  const single = await startPeer('the same, one connection', database.url, 1, teamId, sitesHost, headers)
  const targets = [ours, pooled, single]
  for (const { url } of [pooled, single]) deepStrictEqual(await (await fetch(url)).json(), answer)

  let moved = false
  const measured = await measure(targets, {
    afterWarmUp: async () => {
      moved = await database.moveAway()
    },
  })
  await Promise.all(targets.map(({ child }) => stop(child)))
  return {
    title: '`GET` of one row with a key, PostgreSQL',
    notes: moved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    measured,
    comparisons: [
      { to: pooled.name, bar: 0.8, ...compare(measured[0], measured[1]) },
      { to: single.name, ...compare(measured[0], measured[2]) },
    ],
  }
}

async function startPeer(name, databaseUrl, maxConnections, teamId, sitesHost, headers) {
  const command = [process.execPath, peer, databaseUrl, String(maxConnections), teamId, sitesHost]
  const child = start(serverCores, command)
  const port = /\d+/.exec(await readUntil(child, /\d+\n/))?.[0]
  return { name, child, url: `http://127.0.0.1:${port}${path}`, headers }
}

async function onlyTeam(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const [team] = await sql`select id from teams`
    return team.id
  } finally {
    await sql.end()
  }
}
