/**
 * HTTPS of sites: handshakes, full and resumed, and a file of 10 kB over HTTP/2, beside bare servers of Node.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSelfSigned } from '../dist/platform/certificates/x509/self-signed.js'
import { loadCores, readAll, readUntil, serverCores, start, stop } from './children.mjs'
import { freePort } from './free-port.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const name = 'app.css'
const host = 'bench.localhost'

export const benchHandshakes = (given) => benchTls(given, 'full', 'full handshakes of TLS at the edge', [0.9])
export const benchResumed = (given) =>
  benchTls(given, 'resumed', 'resumed handshakes of TLS at the edge', [0.9])
export const benchHttp2 = (given) =>
  benchTls(given, 'http2', 'a 10 kB file from the edge over HTTP/2', [0.8, 0.8])

async function benchTls({ directory, openDatabase }, what, title, bars) {
  const database = await openDatabase()
  const place = join(directory, `https-${what}`)
  mkdirSync(place)
  const [certFile, keyFile, file] = ['crt', 'key', 'css'].map((ending) => join(place, `file.${ending}`))
  const { cert, key } = await createSelfSigned({ name: '*.localhost', subject: 'bench' }, Date.now())
  const bytes = randomBytes(10_000)
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  writeFileSync(file, bytes)
  const tlsPort = await freePort()
  const settings = {
    SVC_EDGE_TLS_PORT: String(tlsPort),
    SVC_EDGE_TLS_CERT: certFile,
    SVC_EDGE_TLS_KEY: keyFile,
    SVC_EDGE_CONNECTIONS: '0',
  }
  const svc = await startSvc(join(place, 'svc'), database.url, settings)
  await svc.call('PUT', '/v1/projects/bench')
  await svc.deploy('bench', name, bytes)
  const peerOf = async (by) => startPeer([certFile, keyFile, file, by])
  const servers = [
    { name: 'svc', child: svc.child, port: tlsPort },
    { name: 'bare node:http2, streams', ...(await peerOf('streams')) },
    ...(what === 'http2' ? [{ name: 'bare node:http2, requests', ...(await peerOf('requests')) }] : []),
  ]
  const options = { load: (target, seconds) => load({ ...target, what }, seconds), warmUpRequests: 3_000 }
  const measured = await measure(servers, options)
  await Promise.all(servers.map(({ child }) => stop(child)))
  const [ours, ...peers] = measured
  return {
    title,
    notes: [
      'The load is written in JavaScript and is slower than the servers: ' +
        'processor time is what compares them.',
    ],
    measured,
    comparisons: peers.map((peer, index) => ({ to: peer.name, bar: bars[index], ...compare(ours, peer) })),
  }
}

async function load({ port, what }, seconds) {
  const given = JSON.stringify({ port, host, what, path: `/${name}`, seconds })
  const script = fileURLToPath(new URL('tls-load.mjs', import.meta.url))
  const done = JSON.parse(await readAll(start(loadCores, [process.execPath, script, given])))
  return { rate: done.count / done.seconds, count: done.count }
}

async function startPeer(args) {
  const path = fileURLToPath(new URL('peers/bare-http2.mjs', import.meta.url))
  const child = start(serverCores, [process.execPath, path, ...args])
  return { child, port: Number(await readUntil(child, /\d+\n/)) }
}
