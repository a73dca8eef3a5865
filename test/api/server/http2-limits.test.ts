import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { until } from '../../support/eventually.ts'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTlsNode, type TlsNode } from '../../support/tls.ts'
import { openSession, sendRequest } from './http2-client.ts'

const timeouts = {
  ...defaultTimeouts,
  headersMs: 500,
  bodyMs: 500,
  uploadWindowMs: 500,
  requestMs: 3_000,
  idleMs: 1_500,
  checkMs: 50,
}

let node: TlsNode
let team: TestTeam
let auth: { authorization: string }

beforeAll(async () => {
  // Without a worker, which would log that files of other nodes on this database are missing.
  node = await startTlsNode({ SVC_ROLES: 'api,edge' }, timeouts)
  team = await newTeam(node)
  auth = { authorization: `Bearer ${team.ownerKey}` }
})

afterAll(() => node.stop())

/** A TLS connection for which HTTP/2 was negotiated, and on which nothing has been sent yet. */
async function openSilent(): Promise<TLSSocket> {
  const { apiUrl, ca } = node.secure
  const { hostname, port } = new URL(apiUrl)
  const socket = connect({
    host: hostname,
    port: Number(port),
    servername: hostname,
    ca,
    ALPNProtocols: ['h2'],
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket.resume()
}

async function expectHealthy(): Promise<void> {
  const session = await openSession(node.secure)
  expect((await sendRequest(session, { ':path': '/v1/projects', ...auth })).status).toBe(200)
  session.destroy()
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
/** HEADERS of stream 1 without END_HEADERS, with the index of `:method: GET`. */
const openHeaders = Buffer.from([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82])
const emptyContinuation = Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 1])

it.concurrent.each<[string, (socket: TLSSocket) => void]>([
  ['says nothing', () => {}],
  ['sends another protocol', (socket) => void socket.write('GET / HTTP/1.1\r\n\r\n')],
  ['makes no request', (socket) => void socket.write(Buffer.concat([Buffer.from(preface), emptySettings]))],
  [
    'never ends its headers',
    (socket) => {
      socket.write(Buffer.concat([Buffer.from(preface), emptySettings, openHeaders]))
      const timer = setInterval(() => socket.write(emptyContinuation), 50)
      socket.once('close', () => clearInterval(timer))
    },
  ],
])('a connection that %s is closed', async (_name, begin) => {
  const socket = await openSilent()
  const closed = once(socket, 'close')
  begin(socket)
  await closed
})

it.concurrent('a session that only sends pings is closed', async () => {
  const session = await openSession(node.secure)
  const timer = setInterval(() => session.ping(() => {}), 50)
  await once(session, 'close')
  clearInterval(timer)
})

it.concurrent('a session is closed some time after its last response', async () => {
  const session = await openSession(node.secure)
  expect((await sendRequest(session, { ':path': '/healthz' })).status).toBe(200)
  await once(session, 'close')
})

it.concurrent('408 for a body that stops, and the session stays usable', async () => {
  const session = await openSession(node.secure)
  const headers = { ...auth, 'content-type': 'application/json' }
  const stream = session.request({ ':method': 'PUT', ':path': `/v1/projects/${unique('h2')}`, ...headers })
  stream.write('{')
  const [received] = await once(stream, 'response')
  expect(received[':status']).toBe(408)
  expect((await sendRequest(session, { ':path': '/v1/projects', ...auth })).status).toBe(200)
  session.destroy()
})

it.concurrent('a client that does not read its responses is disconnected', { tags: 'long' }, async () => {
  const session = await openSession(node.secure)
  session.settings({ initialWindowSize: 0 })
  const stream = session.request({ ':path': '/openapi.json' })
  stream.on('error', () => {})
  await once(session, 'close')
})

it('at most 100 requests of a session are processed at once', async () => {
  const session = await openSession(node.secure)
  await expect.poll(() => session.remoteSettings?.maxConcurrentStreams).toBe(100)
  session.destroy()
})

function frame(type: number, flags: number, stream: number, payload: number[]): Buffer {
  const header = Buffer.alloc(9)
  header.writeUIntBE(payload.length, 0, 3)
  header.writeUInt8(type, 3)
  header.writeUInt8(flags, 4)
  header.writeUInt32BE(stream, 5)
  return Buffer.concat([header, Buffer.from(payload)])
}

const text = (value: string) => [value.length, ...Buffer.from(value)]

it('a client that keeps resetting its requests is disconnected (CVE-2023-44487)', async () => {
  const socket = await openSilent()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(Buffer.concat([Buffer.from(preface), emptySettings]))
  // GET, https, and two names of the static table with values (RFC 7541, appendix A).
  const headers = [0x82, 0x87, 0x41, ...text('localhost'), 0x44, ...text('/nothing')]
  let sent = 0
  for (; sent < 10_000 && !socket.destroyed; sent += 1) {
    const stream = sent * 2 + 1
    socket.write(Buffer.concat([frame(1, 5, stream, headers), frame(3, 0, stream, [0, 0, 0, 8])]))
    if (sent % 50 === 0) await new Promise(setImmediate)
  }
  await closed
  const processed = node.logged.filter((line) => line.includes('"path":"/nothing"')).length
  expect(processed).toBeLessThan(5_000)
  await expectHealthy()
}, 60_000)

it('a request that is cancelled in the packet that makes it is not processed', async () => {
  const socket = await openSilent()
  const path = `/${unique('cancelled')}`
  const headers = [0x82, 0x87, 0x41, ...text('localhost'), 0x44, ...text(path)]
  const pairs = Array.from({ length: 100 }, (_, at) => [
    frame(1, 5, at * 2 + 1, headers),
    frame(3, 0, at * 2 + 1, [0, 0, 0, 8]),
  ])
  // The last one is not cancelled.
  socket.write(
    Buffer.concat([Buffer.from(preface), emptySettings, ...pairs.flat(), frame(1, 5, 201, headers)]),
  )
  const processed = () => node.logged.filter((line) => line.includes(`"path":"${path}"`)).length
  await until(() => processed() > 0)
  expect(processed()).toBe(1)
  socket.destroy()
}, 60_000)

it('clients that vanish leave nothing behind', async () => {
  for (let i = 0; i < 20; i += 1) {
    const session = await openSession(node.secure)
    const headers = { ':method': 'PUT', ':path': `/v1/projects/${unique('h2')}`, ...auth }
    session.request(headers, { endStream: false }).on('error', () => {})
    await new Promise(setImmediate)
    session.destroy()
  }
  await expectHealthy()
  expect(node.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
