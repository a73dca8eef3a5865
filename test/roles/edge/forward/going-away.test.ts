/** WebSockets to servers of deployments whose place others need. */
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { until } from '../../../support/eventually.ts'
import { untilClosed } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import { type Origin, startOrigin } from './origin.ts'
import { createTestServers, type TestServers } from './servers.ts'

let edge: Edge
let own: Origin
let servers: TestServers
let site: TestSite
/** What the server says at first, and its end of the last WebSocket. */
let said: Buffer
let taken: Socket

const text = Buffer.from([0x81, 5, ...Buffer.from('hello')])
const goingAway = Buffer.from([0x88, 2, 0x03, 0xe9])

beforeAll(async () => {
  own = await startOrigin(() => {}, 'socket')
  own.server.on('upgrade', (_req, socket: Socket) => {
    taken = socket.on('error', () => {}).resume()
    socket.once('end', () => socket.end())
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
    socket.write(Buffer.concat([Buffer.from(head), said]))
  })
  servers = createTestServers(() => own)
  edge = await startEdge({ servers })
  site = await newSite(edge)
  const { id } = await site.deploy({}, { hasServer: true })
  await site.promote(id)
})

afterAll(async () => {
  await own.close()
  await edge.close()
})

afterEach(() => servers.sockets.splice(0))

/** A WebSocket on which as much has come as the server says at first. */
async function open() {
  const headers = { host: site.host, connection: 'Upgrade', upgrade: 'websocket' }
  const sent = request({ port: edge.port, path: '/', agent: false, headers })
  sent.end()
  const [, socket, head]: [unknown, Socket, Buffer] = (await once(sent, 'upgrade')) as never
  let got = head
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    got = Buffer.concat([got, chunk])
  })
  await until(() => got.length === said.length && servers.sockets.length === 1)
  return { socket, got: () => got, goAway: () => servers.sockets[0]?.(true) }
}

it('end with 1001, by which browsers know that they may come again', async () => {
  said = text
  const { socket, got, goAway } = await open()
  const closed = [untilClosed(socket), untilClosed(taken)]
  goAway()
  await Promise.all(closed)
  expect(got()).toEqual(Buffer.concat([text, goingAway]))
  await until(() => servers.leased() === 0)
})

it('end so for a visitor who goes on sending', async () => {
  said = text
  const { socket, got, goAway } = await open()
  const sending = setInterval(() => socket.write(Buffer.alloc(10_000)), 1)
  goAway()
  await untilClosed(socket)
  clearInterval(sending)
  expect(got()).toEqual(Buffer.concat([text, goingAway]))
})

it.each([
  ['in the middle of a frame', text.subarray(0, 4)],
  ['behind the last frame of the server', Buffer.concat([text, Buffer.from([0x88, 2, 0x03, 0xe8])])],
])('are cut %s', async (_when, first) => {
  said = first
  const { socket, got, goAway } = await open()
  const closed = [untilClosed(socket), untilClosed(taken)]
  goAway()
  await Promise.all(closed)
  expect(got()).toEqual(first)
})
