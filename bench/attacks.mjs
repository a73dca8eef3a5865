/**
 * What a team can do that weighs on a node: each with what it takes to be ready for it. See
 * peers/attacker.mjs.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadCores, readUntil, start } from './children.mjs'
import { deployServer } from './servers.mjs'

const receiver = fileURLToPath(new URL('peers/receiver.mjs', import.meta.url))

const harmfulServer = fileURLToPath(new URL('peers/harmful-server.mjs', import.meta.url))

const files = 20_000
const largeSites = 27
const webhooks = 40
const logLines = 50_000
const addresses = 4_000
const zone = 'neighbour.com'

export const attacks = [
  { what: 'builds that burn', needs: 'bwrap', prepare: ofProject('burning') },
  { what: 'webhooks to slow receivers', prepare: addWebhooks },
  { what: 'bodies that are half sent', prepare: ofProject('half') },
  { what: 'whole bodies of 10 MiB', prepare: ofProject('whole') },
  { what: 'DNS answers of 4,000 addresses', prepare: addAddresses },
  { what: 'searches of logs', prepare: addLines },
  { what: 'logs that are followed', prepare: ofProject('followed') },
  { what: 'long series of metrics', prepare: ofProject('measured') },
  { what: 'made-up hosts', prepare: nothing },
  { what: 'made-up keys', prepare: nothing },
  { what: 'deployments of 20,000 files', prepare: ofProject('large') },
  { what: 'many large sites', prepare: deployLarge },
  ...['loop', 'fill their memory', 'fork', 'flood their log', 'answer badly', 'stream without end'].map(
    (does) => ({ what: `servers that ${does}`, needs: 'bwrap', prepare: deployHarmful }),
  ),
]

/** A call of the team, made again where it asked too much. */
async function call({ svc, key }, method, path, body) {
  for (;;) {
    const { ok, answer } = await svc.call(method, path, body, { authorization: `Bearer ${key}` })
    if (ok) return answer
    if (answer.reason !== 'rate_limited')
      throw new Error(`${method} ${path} was answered with ${answer.message}`)
    await wait(500)
  }
}

async function nothing() {
  return {}
}

function ofProject(project) {
  return async (world) => {
    await call(world, 'PUT', `/v1/projects/${project}`, {})
    return { project }
  }
}

async function addWebhooks(world) {
  const child = start(loadCores, [process.execPath, receiver])
  const url = `http://127.0.0.1:${(await readUntil(child, /\d+\n/)).trim()}`
  await call(world, 'PUT', '/v1/projects/hooked', {})
  for (let number = 0; number < webhooks; number += 1) {
    await call(world, 'POST', '/v1/webhooks', { url: `${url}/slow/${number}`, events: ['project.updated'] })
  }
  return { project: 'hooked' }
}

/** A server of the team that does harm by the path of a request. */
async function deployHarmful(world) {
  const project = 'harmful'
  await call(world, 'PUT', `/v1/projects/${project}`, {})
  const asTeam = async (...given) => ({ ok: true, answer: await call(world, ...given) })
  await deployServer({ call: asTeam }, project, { 'server.mjs': readFileSync(harmfulServer, 'utf8') })
  return { host: `${project}.localhost` }
}

/** A proven domain with one name that has as many addresses as may be. */
async function addAddresses({ sql, team }) {
  const reversed = zone.split('.').reverse().join('.')
  await sql`insert into registrable_domains (name, serial, changed_ms) values (${zone}, 1790000000, 0)`
  await sql`
    insert into domains (id, team_id, domain, reversed, registrable, proof, proven_ms, verified_ms,
      next_check_ms, created_ms, updated_ms)
    values ('dom_neighbour', ${team}, ${zone}, ${reversed}, ${zone}, 'svc-verify=none', 1, 1,
      9000000000000000, 0, 0)`
  await sql`
    insert into records (id, team_id, domain_id, fqdn, reversed, type, value, ttl, created_ms, updated_ms)
    select 'rec_neighbour' || i, ${team}, 'dom_neighbour', ${`*.w.${zone}`}, ${`${reversed}.w.*`}, 'A',
      '198.51.' || i / 256 || '.' || i % 256, 300, i, i from generate_series(1, ${addresses}::int) as i`
  return { zone }
}

async function addLines(world) {
  const { id } = await call(world, 'PUT', '/v1/projects/logged', {})
  await world.sql`
    insert into log_lines (team_id, kind, level, project_id, message, fields, time_ms)
    select ${world.team}, 'build', 'info', ${id}, repeat('what was printed ', 60) || i, '{}',
      ${Date.now()}::bigint - i
    from generate_series(1, ${logLines}::int) as i`
  await world.sql.unsafe('analyze log_lines')
  return {}
}

async function deployLarge(world) {
  await call(world, 'PUT', '/v1/projects/sites', {})
  const hosts = []
  for (let number = 0; number < largeSites; number += 1) {
    const each = Array.from({ length: files }, (_, file) => ({ path: `${number}/${file}.html`, content: '' }))
    const { url } = await call(world, 'POST', '/v1/deployments', { project: 'sites', files: each })
    hosts.push(new URL(url).hostname)
  }
  return { hosts }
}
