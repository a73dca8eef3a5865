/**
 * A file of 10 kB from the edge, beside a bare `node:http` with the buffer, the usual libraries, nginx, and
 * Caddy.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { withPeers } from './amount.mjs'
import { readUntil, serverCores, start, stop } from './children.mjs'
import { startCaddy } from './peers/caddy.mjs'
import { startNginx } from './peers/nginx.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const name = 'app.css'
const host = 'bench.localhost'

/** Measures all of them with the same bytes. */
export async function benchServeFile({ directory, openDatabase }) {
  const database = await openDatabase()
  const bytes = randomBytes(10_000)
  const root = join(directory, 'root')
  const file = join(root, name)
  mkdirSync(root)
  writeFileSync(file, bytes)

  const svc = await startSvc(join(directory, 'serve-file'), database.url)
  await svc.call('PUT', '/v1/projects/bench')
  await svc.deploy('bench', name, bytes)
  const { headers } = await read(svc.edgePort)

  const nginx = await startNginx(directory, root)
  const caddy = await startCaddy(directory, root)
  const servers = [
    { name: 'svc', child: svc.child, port: svc.edgePort },
    {
      ...(await startPeer('node-buffer', [file, JSON.stringify(headers)])),
      name: 'bare node:http, the buffer',
    },
    { ...(await startPeer('sirv', [root])), name: 'sirv' },
    { ...(await startPeer('fastify-static', [root])), name: '@fastify/static' },
    ...(nginx ? [{ ...nginx, name: 'nginx' }] : []),
    ...(caddy ? [{ ...caddy, name: 'Caddy' }] : []),
  ]
  for (const { port } of servers) deepStrictEqual((await read(port)).body, bytes)
  deepStrictEqual((await read(servers[1].port)).headers, headers)

  const measured = await measure(
    withPeers(servers).map((server) => ({
      ...server,
      url: `http://127.0.0.1:${server.port}/${name}`,
      // In another case wrk would add its own.
      headers: { Host: host },
    })),
  )
  await Promise.all(servers.map(({ child }) => stop(child)))
  const [ours, ...peers] = measured
  const bars = [0.85, 1, 1]
  return {
    title: 'a 10 kB file from the edge',
    notes: [
      ...(nginx ? [] : ['nginx is not installed here.']),
      ...(caddy
        ? ['The goal is half of the processor time that Caddy takes.']
        : ['Caddy is not installed here.']),
    ],
    measured,
    comparisons: peers.map((peer, index) => ({ to: peer.name, bar: bars[index], ...compare(ours, peer) })),
  }
}

async function startPeer(script, args) {
  const path = fileURLToPath(new URL(`peers/${script}.mjs`, import.meta.url))
  const child = start(serverCores, [process.execPath, path, ...args])
  return { child, port: Number(await readUntil(child, /\d+\n/)) }
}

/**
 * The bytes and the header fields, as names and values by turns, that a server answers with; `Date` is its
 * own matter.
 */
async function read(port) {
  const request = get({
    port,
    host: '127.0.0.1',
    path: `/${name}`,
    headers: { host, connection: 'keep-alive' },
  })
  const [response] = await once(request, 'response')
  const headers = response.rawHeaders.flatMap((text, index, all) =>
    index % 2 === 0 && !ofConnection.has(text.toLowerCase()) ? [text, all[index + 1]] : [],
  )
  return { headers, body: await buffer(response) }
}

/** What goes with a connection rather than with the file: `node:http` adds it by itself. */
const ofConnection = new Set(['connection', 'date', 'keep-alive'])
