/** @module-tag long */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { greedyRequests } from '../lib/net/unread/raw-session.ts'
import { newCertificate } from '../support/certificate.ts'
import { until } from '../support/eventually.ts'
import { unique } from '../support/node.ts'
import { freePort } from '../support/ports.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

const sessions = 40
const requestsOfSession = 100
const maxConnections = 100
/** Without bounds, they were 1,400 MB at the API and 6,500 MB at the edge. */
const mostMegabytes = 700

let program: Program
let host: string
const ports = { plain: '', api: '', edge: '' }

beforeAll(async () => {
  for (const each of ['plain', 'api', 'edge'] as const) ports[each] = await freePort()
  const place = join(inject('directory'), unique('unread'))
  const { cert, key } = await newCertificate('*.localhost')
  await writeFile(`${place}.crt`, cert)
  await writeFile(`${place}.key`, key)
  program = await startProgram({
    SVC_DATA_DIR: await newDataDirectory(),
    SVC_PORT: ports.plain,
    SVC_URL: `http://127.0.0.1:${ports.plain}`,
    SVC_TLS_PORT: ports.api,
    SVC_TLS_CERT: `${place}.crt`,
    SVC_TLS_KEY: `${place}.key`,
    SVC_EDGE_TLS_PORT: ports.edge,
    SVC_EDGE_TLS_CERT: `${place}.crt`,
    SVC_EDGE_TLS_KEY: `${place}.key`,
    SVC_EDGE_HTTPS_REDIRECT: '0',
    SVC_EDGE_CONNECTIONS: String(maxConnections),
    SVC_ROLES: 'api,edge',
  })
  host = await deployLargeFile()
})

afterAll(() => program.end('SIGKILL'))

async function send(method: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(program.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

async function deployLargeFile(): Promise<string> {
  await send('PUT', '/v1/projects/web', {})
  const content = Buffer.alloc(4_000_000, 'a').toString()
  const files = [{ path: 'large.bin', content }]
  const deployed = await send('POST', '/v1/deployments', { project: 'web', files })
  return new URL(z.object({ url: z.string() }).parse(deployed).url).hostname
}

async function openTls(port: string, servername: string): Promise<TLSSocket> {
  const options = { port: Number(port), servername, rejectUnauthorized: false, ALPNProtocols: ['h2'] }
  const socket = connect({ host: '127.0.0.1', ...options })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Opens sessions that read nothing, and resolves once the program has dealt with what they sent. */
async function beGreedy(port: string, name: string, path: string): Promise<void> {
  for (let each = 0; each < sessions; each += 1) {
    const socket = await openTls(port, name)
    socket.pause().write(greedyRequests(requestsOfSession, name, path))
  }
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${program.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function isHealthy(): Promise<void> {
  const response = await fetch(`${program.apiUrl}/healthz`)
  expect(response.status).toBe(200)
}

it.runIf(process.platform === 'linux').each<[string, () => [string, string, string]]>([
  ['the document of the API', () => [ports.api, 'api.localhost', '/openapi.json']],
  ['a large file of a site', () => [ports.edge, host, '/large.bin']],
])('memory stays bounded while thousands of responses are not read: %s', async (_name, target) => {
  const before = await residentMegabytes()
  await beGreedy(...target())
  let most = 0
  for (let look = 0; look < 20; look += 1) {
    await isHealthy()
    most = Math.max(most, await residentMegabytes())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(most - before).toBeLessThan(mostMegabytes)
})

it('the edge refuses CONNECT over HTTP/2, and goes on', async () => {
  const session = connectHttp2(`https://${host}:${ports.edge}`, {
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }], 4),
    rejectUnauthorized: false,
  })
  onTestFinished(() => session.destroy())
  const tunnel = session.request({ ':method': 'CONNECT', ':authority': 'example.com:443' })
  const [refused] = await once(tunnel, 'response')
  expect(refused[':status']).toBe(405)
  const page = session.request({ ':path': '/large.bin', ':method': 'HEAD' })
  const [found] = await once(page.resume(), 'response')
  expect(found[':status']).toBe(200)
})

it('an address has as many connections to the API as it may, and the log says who was refused', async () => {
  const address = '127.4.5.6'
  const open = async () => {
    const socket = connectPlain({ host: '127.0.0.1', port: Number(ports.plain), localAddress: address })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  for (let each = 0; each < maxConnections; each += 1) await open()
  await once(await open(), 'close')
  await isHealthy()
  await until(() => program.stderr().includes('SVC_EDGE_CONNECTIONS'))
  expect(program.stderr()).toMatch(/"target":"api","address":"127\.4\.5\.6","cut_of_address":1,/)
})

it('a stop does not wait for who reads nothing', async () => {
  await beGreedy(ports.edge, host, '/large.bin')
  expect(await program.end('SIGTERM')).toBe(0)
})
