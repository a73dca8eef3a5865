/** One row with a key, on PostgreSQL, beside a bare Fastify that does the same look-up in SQL. */
import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { withPeers } from './amount.mjs'
import { stop } from './children.mjs'
import { onlyTeam, path, project, startLookUpPeer } from './look-up.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const bars = [0.85]

/** Measures both against the same row of the same database. */
export async function benchReadRow({ directory, openDatabase }) {
  const database = await openDatabase()
  const svc = await startSvc(join(directory, 'read-row'), database.url)
  const { ok, answer } = await svc.call('PUT', path, project)
  if (!ok) throw new Error(`The project couldn't be made: ${answer.message}`)
  const teamId = await onlyTeam(database.url)

  const headers = { authorization: svc.authorization }
  const ours = { name: 'svc', child: svc.child, url: svc.apiUrl + path, headers }
  // Ten connections are what postgres.js makes by default; with one, look-ups made together travel together.
  const place = { databaseUrl: database.url, teamId, sitesHost: `localhost:${svc.edgePort}` }
  const pooled = await startLookUpPeer('bare Fastify, SQL', { ...place, connections: 10 }, headers)
  const single = await startLookUpPeer('the same, one connection', { ...place, connections: 1 }, headers)
  const servers = [ours, pooled, single]
  for (const { url } of [pooled, single]) deepStrictEqual(await (await fetch(url)).json(), answer)

  let moved = false
  const measured = await measure(withPeers(servers), {
    afterWarmUp: async () => {
      moved = await database.moveAway()
    },
  })
  await Promise.all(servers.map(({ child }) => stop(child)))
  return {
    title: '`GET` of one row with a key, PostgreSQL',
    notes: moved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    measured,
    comparisons: measured
      .slice(1)
      .map((peer, index) => ({ to: peer.name, bar: bars[index], ...compare(measured[0], peer) })),
  }
}
