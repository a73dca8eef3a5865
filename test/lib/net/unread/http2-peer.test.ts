import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createHttp2Server, type Http2Server } from '../../../../src/lib/net/http2-server.ts'
import { createUnreadLimits, type UnreadLimits } from '../../../../src/lib/net/unread/limits.ts'
import { isGone, peerOf } from '../../../../src/lib/net/unread/peer.ts'
import { until } from '../../../support/eventually.ts'
import { createTestLog } from '../../../support/kept-logs.ts'
import { openGreedy } from './raw-session.ts'

const fileBytes = 64 * 1024
const file = Buffer.alloc(fileBytes, 'a')
const requests = 100
/** What the requests of one session count, beside their responses. */
const ofRequests = requests * 17 * 1024

/** A server of one file over HTTP/2 without TLS, whose clients are bounded by `limits`. */
type Started = {
  http2: Http2Server
  port: number
  unread: UnreadLimits
  requested: () => number
  /** Responses that were made, since their clients might have them in memory. */
  made: () => number
  stop(): Promise<void>
}

const started: Started[] = []
const logged: string[] = []

async function start(limits: {
  totalBytes: number
  addressBytes: number
  tightBytes?: number
  stalledMs?: number
}): Promise<Started> {
  let requested = 0
  let made = 0
  const unread = createUnreadLimits({ ...limits, log: createTestLog(logged), everyMs: 20 })
  const http2: Http2Server = createHttp2Server({
    timeouts: { headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 },
    handle(_request, response) {
      requested += 1
      const peer = peerOf(response)
      const write = () => {
        if (isGone(response)) return
        made += 1
        response.end(file)
        peer?.hold(response, -fileBytes)
      }
      const turn = peer?.enter(response, fileBytes)
      if (turn) void turn.then(write)
      else write()
    },
    unread,
    clientOf: ({ remoteAddress }) => remoteAddress,
    refuse: () => false,
  })
  const server: Server = createServer((socket) => http2.take(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  const self = {
    port: address.port,
    unread,
    requested: () => requested,
    made: () => made,
    http2,
    async stop() {
      unread.stop()
      await http2.end({ silenceMs: 0, waitMs: 0 })
      server.close()
    },
  }
  started.push(self)
  return self
}

const ample = { totalBytes: 1024 ** 3, addressBytes: 1024 ** 3 }

let server: Started

beforeAll(async () => {
  server = await start(ample)
})

afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
})

function openClient(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`)
  session.on('error', () => {})
  return session
}

/** A session that lets the first bytes of a hundred responses come, and no more. */
function openPaused(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 1_000 } })
  session.on('error', () => {})
  for (let each = 0; each < requests; each += 1)
    session
      .request({ ':path': '/' })
      .on('error', () => {})
      .pause()
  return session
}

/** Resolves to the length of the response's body. */
function read(session: ClientHttp2Session): Promise<number> {
  const stream = session.request({ ':path': '/' })
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  return once(stream, 'end').then(() => bytes)
}

it('of a hundred unread responses the first ones are made, and others are sent meanwhile', async () => {
  const greedy = openPaused(server.port)
  await until(() => server.requested() === requests)
  expect(server.made()).toBeLessThan(10)
  expect(server.unread.unreadBytes()).toBeLessThan(server.made() * fileBytes + ofRequests)
  const client = openClient(server.port)
  expect(await read(client)).toBe(fileBytes)
  client.destroy()
  onTestFinished(() => void greedy.destroy())
})

it('the more others leave unread, the less a session may, until they are gone', async () => {
  const crowd = await start({ totalBytes: 64 * 1024 ** 2, addressBytes: 1024 ** 3 })
  const most = crowd.unread.sessionBytes()
  const greedy = Array.from({ length: 20 }, () => openGreedy(crowd.port, requests, '/'))
  await until(() => crowd.unread.sessionBytes() < most / 2)
  expect(crowd.requested()).toBeGreaterThan(requests)
  for (const socket of greedy) socket.destroy()
  await until(() => crowd.unread.sessionBytes() === most)
})

it('responses that pause have no more than that together, and end nobody', async () => {
  const totalBytes = 2 * 1024 ** 2
  const small = await start({ totalBytes, addressBytes: 1024 ** 3 })
  const client = connect(`http://127.0.0.1:${small.port}`, { settings: { initialWindowSize: 1_000 } })
  onTestFinished(() => client.destroy())
  for (let each = 0; each < requests; each += 1) client.request({ ':path': '/' }).pause()
  await until(() => small.requested() === requests)
  await until(() => small.made() > 1)
  // More could be made each second.
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  expect(small.made()).toBeLessThan(5)
  expect(small.unread.unreadBytes()).toBeLessThan(totalBytes)
  expect(client.destroyed).toBe(false)
})

it('a client that reads gets all of them', async () => {
  const client = openClient(server.port)
  const lengths = await Promise.all(Array.from({ length: requests }, () => read(client)))
  expect(lengths).toEqual(Array(requests).fill(fileBytes))
  client.destroy()
})

it('wholly unread responses, as of paused videos, hold up no others of their session', async () => {
  const client = connect(`http://127.0.0.1:${server.port}`, { settings: { initialWindowSize: 1_000 } })
  const paused = Array.from({ length: 10 }, () => client.request({ ':path': '/' }).pause())
  await Promise.all(paused.map((stream) => once(stream, 'response').catch(() => {})).slice(0, 4))
  expect(await read(client)).toBe(fileBytes)
  client.destroy()
})

it('the connections of an address that leave most unread are ended, and are logged', async () => {
  const crowded = await start({ totalBytes: 1024 ** 3, addressBytes: 1024 ** 2 })
  const greedy = Array.from({ length: 8 }, () => openGreedy(crowded.port, requests, '/'))
  await until(() => logged.join('\n').includes('leave too much of the responses unread'))
  await until(() => crowded.unread.unreadBytes() <= 1024 ** 2)
  for (const socket of greedy) socket.destroy()
})

it('so are those of all addresses together', async () => {
  const full = await start({ totalBytes: 1024 ** 2, addressBytes: 1024 ** 3 })
  const greedy = Array.from({ length: 8 }, () => openGreedy(full.port, requests, '/'))
  await until(() => full.requested() > requests)
  await until(() => full.unread.unreadBytes() <= 1024 ** 2)
  for (const socket of greedy) socket.destroy()
})

it('a process that takes nearly all of its memory has less of them', async () => {
  const limits = { totalBytes: 4 * 1024 ** 2, addressBytes: 1024 ** 3 }
  const tightBytes = process.memoryUsage.rss() + 64 * 1024 ** 2
  const [ordinary, tight] = [await start(limits), await start({ ...limits, tightBytes })]
  const [kept, ended] = [ordinary, tight].map(({ port }) => openPaused(port))
  await until(() => ordinary.requested() === requests && tight.requested() === requests)
  const taken = Buffer.alloc(256 * 1024 ** 2, 'a')
  await until(() => ended?.destroyed === true)
  expect(kept?.destroyed).toBe(false)
  const client = openClient(tight.port)
  expect(await read(client)).toBe(fileBytes)
  expect(taken).toHaveLength(256 * 1024 ** 2)
  client.destroy()
  kept?.destroy()
})

it('where memory is short, a session has fewer open requests, and gets all that heed it', async () => {
  const crowd = await start({ totalBytes: 4 * 1024 ** 2, addressBytes: 1024 ** 3 })
  expect(crowd.unread.sessionStreams()).toBe(requests)
  const first = openPaused(crowd.port)
  await until(() => crowd.requested() === requests)
  await until(() => crowd.unread.sessionStreams() < 70)
  const most = crowd.unread.sessionStreams()
  const second = openGreedy(crowd.port, requests, '/')
  await until(() => crowd.requested() > requests)
  const client = openClient(crowd.port)
  await until(() => (client.remoteSettings?.maxConcurrentStreams ?? requests) < requests)
  expect(client.remoteSettings.maxConcurrentStreams).toBeLessThanOrEqual(most)
  const lengths = await Promise.all(Array.from({ length: requests }, () => read(client)))
  expect(lengths).toEqual(Array(requests).fill(fileBytes))
  expect(crowd.requested()).toBeLessThanOrEqual(2 * requests + most)
  client.destroy()
  for (const socket of [first, second]) socket.destroy()
})

it('a session whose client reads nothing is ended in time', async () => {
  const strict = await start({ ...ample, stalledMs: 100 })
  const greedy = openGreedy(strict.port, requests, '/')
  await until(() => strict.requested() > 0)
  await until(() => strict.unread.unreadBytes() === 0)
  greedy.destroy()
})

it('a stop ends the sessions of clients that read nothing', async () => {
  const stopped = await start(ample)
  const greedy = openGreedy(stopped.port, requests, '/')
  await until(() => stopped.requested() === requests)
  await stopped.http2.end({ silenceMs: 0, waitMs: 50 })
  greedy.destroy()
})

it('so does one that comes while they read nothing although much was written', async () => {
  const closed = await start({ ...ample, stalledMs: 100 })
  const greedy = openGreedy(closed.port, requests, '/')
  await until(() => closed.requested() > 0)
  await closed.http2.end({ silenceMs: 0, waitMs: 10_000 })
  greedy.destroy()
})
