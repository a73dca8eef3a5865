/**
 * One call through `/trpc` with a key, on PostgreSQL, beside the same router behind tRPC's own Fastify
 * adapter.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withPeers } from './amount.mjs'
import { readUntil, serverCores, start, stop } from './children.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const peer = fileURLToPath(new URL('peers/trpc-adapter.mjs', import.meta.url))

const input = (value) => encodeURIComponent(JSON.stringify(value))
const alone = `/trpc/projects.get?input=${input({ project: 'bench' })}`
/** What the client of this package sends for one call. */
const batched = `/trpc/projects.get?batch=1&input=${input({ 0: { project: 'bench' } })}`

/** Measures both with the same call for the same row of the same database. */
export async function benchSingleCall({ directory, openDatabase }) {
  const database = await openDatabase()
  const svc = await startSvc(join(directory, 'single-call'), database.url)
  const { ok, answer } = await svc.call('PUT', '/v1/projects/bench', { spa: true })
  if (!ok) throw new Error(`The project couldn't be made: ${answer.message}`)

  const adapter = start(serverCores, [process.execPath, peer, database.url, `localhost:${svc.edgePort}`])
  const adapterUrl = `http://127.0.0.1:${Number(await readUntil(adapter, /\d+\n/))}`
  const headers = { authorization: svc.authorization }
  const targets = [
    { name: 'svc', child: svc.child, url: svc.apiUrl + alone, headers },
    { name: "tRPC's Fastify adapter", child: adapter, url: adapterUrl + alone, headers },
    { name: 'svc, a batch of one', child: svc.child, url: svc.apiUrl + batched, headers },
    { name: "tRPC's Fastify adapter, a batch of one", child: adapter, url: adapterUrl + batched, headers },
  ]
  const answers = await Promise.all(targets.map(read))
  deepStrictEqual(answers[1], answers[0])
  deepStrictEqual(answers[3], answers[2])

  let moved = false
  const measured = await measure(withPeers(targets), {
    afterWarmUp: async () => {
      moved = await database.moveAway()
    },
  })
  await Promise.all([svc.child, adapter].map(stop))
  return {
    title: 'a single call through `/trpc`, PostgreSQL',
    notes: moved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    measured,
    comparisons: measured.flatMap((ours, index) => {
      const theirs = measured[index + 1]
      return index % 2 === 0 ? [{ to: theirs.name, bar: 1.5, ...compare(ours, theirs) }] : []
    }),
  }
}

/** What a client is told: the status, the type and the value. */
async function read({ url, headers }) {
  const response = await fetch(url, { headers })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    vary: response.headers.get('vary'),
    body: await response.json(),
  }
}
