/**
 * One row with a JWT, on PostgreSQL, beside a bare Fastify that verifies it with jose and does the same
 * look-up in SQL.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { stop } from './children.mjs'
import { onlyTeam, path, project, startLookUpPeer } from './look-up.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

/** Measures both with the same JWT against the same row of the same database. */
export async function benchReadRowJwt({ directory, openDatabase }) {
  const database = await openDatabase()
  const jwtSecret = randomBytes(32).toString('base64')
  const svc = await startSvc(join(directory, 'read-row-jwt'), database.url, { SVC_JWT_SECRET: jwtSecret })
  const minted = await svc.call('POST', '/v1/token')
  if (!minted.ok) throw new Error(`No JWT was minted: ${minted.answer.message}`)
  const headers = { authorization: `Bearer ${minted.answer.token}` }
  const { ok, answer } = await svc.call('PUT', path, project, headers)
  if (!ok) throw new Error(`The project couldn't be made: ${answer.message}`)

  const place = {
    databaseUrl: database.url,
    teamId: await onlyTeam(database.url),
    sitesHost: `localhost:${svc.edgePort}`,
    jwtSecret,
  }
  const ours = { name: 'svc', child: svc.child, url: svc.apiUrl + path, headers }
  const pooled = await startLookUpPeer('bare Fastify, jose, SQL', { ...place, connections: 10 }, headers)
  const single = await startLookUpPeer('the same, one connection', { ...place, connections: 1 }, headers)
  const targets = [ours, pooled, single]
  for (const { url } of [pooled, single])
    deepStrictEqual(await (await fetch(url, { headers })).json(), answer)

  let moved = false
  const measured = await measure(targets, {
    afterWarmUp: async () => {
      moved = await database.moveAway()
    },
  })
  await Promise.all(targets.map(({ child }) => stop(child)))
  return {
    title: '`GET` of one row with a JWT, PostgreSQL',
    notes: moved ? [] : ["PostgreSQL's processes could not be kept off the server's core."],
    measured,
    comparisons: [
      { to: pooled.name, bar: 0.75, ...compare(measured[0], measured[1]) },
      { to: single.name, ...compare(measured[0], measured[2]) },
    ],
  }
}
