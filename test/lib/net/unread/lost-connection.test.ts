/** A client that goes while much is being sent to it, and one that only doesn't read. */
import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { connect as connectPlain } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHttp2Server, type Http2Server } from '../../../../src/lib/net/http2-server.ts'
import { createUnreadLimits, type UnreadLimits } from '../../../../src/lib/net/unread/limits.ts'
import { createIsLost } from '../../../../src/lib/net/unread/lost-connection.ts'
import type { Peer } from '../../../../src/lib/net/unread/peer.ts'
import { createTlsServer, type TlsServer } from '../../../../src/lib/tls/tls-server.ts'
import { newCertificate } from '../../../support/certificate.ts'
import { until } from '../../../support/eventually.ts'
import { createTestLog } from '../../../support/kept-logs.ts'
import { greedyRequests } from './raw-session.ts'

const requests = 20
const piece = Buffer.alloc(64 * 1024, 'a')
const timeouts = { headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 }

let http2: Http2Server
let tls: TlsServer
let unread: UnreadLimits
let port: number

beforeEach(async () => {
  unread = createUnreadLimits({
    totalBytes: 2 ** 30,
    addressBytes: 2 ** 30,
    log: createTestLog([]),
    everyMs: 20,
  })
  http2 = createHttp2Server({
    timeouts,
    handle(_request, response) {
      const write = () => {
        while (response.write(piece));
      }
      response.on('drain', write)
      write()
    },
    unread,
    clientOf: ({ remoteAddress }) => remoteAddress,
    refuse: () => false,
  })
  const certificate = await newCertificate('*.localhost')
  const options = { certificate, handshakeMs: 60_000, ticketKeys: undefined }
  tls = createTlsServer(options, { http1: createHttp(), http2 })
  tls.server.listen(0, '127.0.0.1')
  await once(tls.server, 'listening')
  const address = tls.server.address()
  port = address !== null && typeof address === 'object' ? address.port : 0
})

afterEach(async () => {
  unread.stop()
  await http2.end({ silenceMs: 0, waitMs: 0 })
  tls.cut()
  tls.server.close()
})

const silent: Peer = {
  address: undefined,
  madeBytes: 0,
  enter: () => undefined,
  hasRoom: () => true,
  hold: () => {},
  read: () => {},
  unreadBytes: () => 0,
  end: () => {},
  endIfStalled: () => {},
}

/** A client that sends requests and reads nothing, once what waits for it grows no more. */
async function openGreedy(): Promise<TLSSocket> {
  const before = unread.unreadBytes()
  const place = { port, host: '127.0.0.1', servername: 'a.localhost' }
  const socket = connect({ ...place, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.pause().write(greedyRequests(requests, 'a.localhost', '/'))
  let last = before
  const isFull = () => {
    const bytes = unread.unreadBytes()
    const hasGrown = bytes !== last
    last = bytes
    return !hasGrown && bytes > before + requests * piece.length
  }
  await until(isFull, { everyMs: 200 })
  return socket
}

it('ends the session of a client that has gone, and not that of one that does not read', async () => {
  const slow = await openGreedy()
  const ofSlow = unread.unreadBytes()
  const gone = await openGreedy()
  expect(unread.unreadBytes()).toBeGreaterThan(ofSlow)
  gone.destroy()
  await until(() => unread.unreadBytes() <= ofSlow)
  expect(unread.unreadBytes()).toBe(ofSlow)
  slow.destroy()
})

it('looks at a session that has ended while its client stays', async () => {
  const staying = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true })
  const place = { socket: staying, servername: 'a.localhost' }
  const socket = connect({ ...place, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  socket.write(greedyRequests(0, 'a.localhost', '/'))
  await once(socket, 'data')
  const ending = http2.end({ silenceMs: 0, waitMs: 60_000 })
  await once(socket, 'end')
  let looks = 0
  const unwatch = unread.watch({ ...silent, endIfStalled: () => void looks++ })
  await until(() => looks > 2)
  unwatch()
  socket.end()
  await ending
})

it('waits for a second look, in which the socket below may get what was taken', () => {
  const [taken, passed] = [{ bytesWritten: 0 }, { bytesWritten: 0 }]
  const isLost = createIsLost(taken, passed)
  const look = (took: number, got: number) => {
    taken.bytesWritten += took
    passed.bytesWritten += got
    return isLost()
  }
  expect([look(100, 120), look(0, 0), look(0, 0)]).toEqual([false, false, false])
  expect([look(100, 0), look(0, 120), look(0, 0)]).toEqual([false, false, false])
  expect([look(100, 0), look(0, 0)]).toEqual([false, true])
})
