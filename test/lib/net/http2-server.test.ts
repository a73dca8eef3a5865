/** A client that sends a hundred requests in a packet, and another one beside it. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { connect as connectSocket, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHttp2Server, type Http2Server } from '../../../src/lib/net/http2-server.ts'
import { createUnreadLimits, type UnreadLimits } from '../../../src/lib/net/unread/limits.ts'
import { busyFor } from '../../support/busy-for.ts'
import { until } from '../../support/eventually.ts'
import { createTestLog } from '../../support/kept-logs.ts'
import { openGreedy } from './unread/raw-session.ts'

const requests = 100
/** Longer than a turn of the event loop may take. */
const handlingMs = 3

let http2: Http2Server
let server: Server
let unread: UnreadLimits
let handled: string[]
let onHandled: () => void

beforeEach(async () => {
  handled = []
  onHandled = () => {}
  unread = createUnreadLimits({ totalBytes: 2 ** 30, addressBytes: 2 ** 30, log: createTestLog([]) })
  http2 = createHttp2Server({
    timeouts: { headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 },
    handle(request, response) {
      handled.push(request.url ?? '')
      busyFor(handlingMs)
      response.end()
      onHandled()
    },
    unread,
    clientOf: ({ remoteAddress }) => remoteAddress,
    refuse: () => false,
  })
  server = createServer((socket) => http2.take(socket)).listen(0)
  await once(server, 'listening')
})

afterEach(async () => {
  unread.stop()
  await http2.end({ silenceMs: 0, waitMs: 0 })
  server.close()
})

function port(): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return address.port
}

async function openFrom(localAddress: string): Promise<ClientHttp2Session> {
  const socket = connectSocket({ port: port(), host: '127.0.0.1', localAddress })
  const session = connect('http://localhost', { createConnection: () => socket })
  await once(session, 'remoteSettings')
  return session
}

it('handles a request of another client in between', async () => {
  const other = await openFrom('127.0.0.2')
  onHandled = () => {
    onHandled = () => {}
    other.request({ ':path': '/other' }).resume()
  }
  const greedy = openGreedy(port(), requests, '/greedy')
  await until(() => handled.length > requests)
  other.destroy()
  greedy.destroy()
  expect(handled.indexOf('/other')).toBeLessThan(requests / 10)
})

it('shares the turns of an address among its sessions', async () => {
  const sessions = 20
  const greedy = Array.from({ length: sessions }, () => openGreedy(port(), requests / 2, '/greedy'))
  const other = await openFrom('127.0.0.2')
  await until(() => handled.length > 2 * sessions)
  const before = handled.length
  for (const path of ['/a', '/b', '/c']) other.request({ ':path': path }).resume()
  await until(() => handled.includes('/c'))
  const between = handled.slice(before, handled.indexOf('/c')).filter((path) => path === '/greedy')
  other.destroy()
  for (const socket of greedy) socket.destroy()
  // One before each, and those that were handled until they came.
  expect(between.length).toBeLessThan(sessions)
})
