/**
 * What counting and logging requests costs the edge: a file of 10 kB from memory, beside the same edge
 * without.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { amount } from './amount.mjs'
import { readUntil, serverCores, start, stop } from './children.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const name = 'app.css'

/** What is looked for is less than what one round differs from the next, */
const rounds = amount(6, 1)

/** and than what one process differs from another, since the compiler takes its choices by chance. */
const processes = amount(4, 1)

/** Measures both on the same database and files. */
export async function benchCountRequests({ directory, openDatabase }) {
  const database = await openDatabase()
  const own = join(directory, 'count-requests')
  const svc = await startSvc(own, database.url)
  await svc.call('PUT', '/v1/projects/bench')
  await svc.deploy('bench', name, randomBytes(10_000))
  await stop(svc.child)

  const edge = async (mode) => {
    const path = fileURLToPath(new URL('peers/edge.mjs', import.meta.url))
    const command = [process.execPath, path, database.url, join(own, 'data', 'blobs'), mode]
    const child = start(serverCores, command)
    const port = Number(await readUntil(child, /\d+\n/))
    return {
      name: mode,
      child,
      url: `http://127.0.0.1:${port}/${name}`,
      headers: { Host: 'bench.localhost' },
    }
  }
  const targets = []
  for (let each = 0; each < processes; each += 1) targets.push(await edge('counted'), await edge('uncounted'))
  const all = await measure(targets, { rounds })
  const roundsOf = (mode) => all.filter((each) => each.name === mode).flatMap((each) => each.rounds)
  const measured = [
    { name: 'counting and logging', rounds: roundsOf('counted') },
    { name: 'without', rounds: roundsOf('uncounted') },
  ]
  await checkCounted(database.url, measured[0])
  await Promise.all(targets.map(({ child }) => stop(child)))
  return {
    title: 'a 10 kB file from the edge, counted and logged',
    notes: [`${processes} processes of each, by turns.`],
    measured,
    comparisons: [{ to: 'the same edge without', bar: 0.95, ...compare(measured[0], measured[1]) }],
  }
}

/** @throws when fewer were counted than there must have been. */
async function checkCounted(url, { rounds }) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const [{ counted }] = await sql`
      select coalesce(sum(requests), 0)::float8 as counted from traffic
      where scope_id like 'prj_%' and span_ms = 60000`
    const least = rounds.reduce((sum, { rate }) => sum + rate, 0)
    if (counted < least) throw new Error(`${counted} requests were counted, of at least ${least}.`)
  } finally {
    await sql.end()
  }
}
