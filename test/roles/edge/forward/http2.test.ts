/** Requests over HTTP/2 that a rule passes on. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttp2Server } from '../../../../src/lib/net/http2-server.ts'
import { createUnreadLimits } from '../../../../src/lib/net/unread/limits.ts'
import { until } from '../../../support/eventually.ts'
import { createTestLog } from '../../../support/kept-logs.ts'
import type { Edge, TestSite } from '../edge.ts'
import { startBehind } from './behind.ts'
import { type Origin, startOrigin, startRawOrigin } from './origin.ts'

const requestMs = 200

describe.each(['a rule', 'a server'] as const)('through %s', (kind) => {
  let behind: Awaited<ReturnType<typeof startBehind>>
  let edge: Edge
  let site: TestSite
  let rawSite: TestSite
  let origin: Origin
  let raw: Awaited<ReturnType<typeof startRawOrigin>>
  let front: Server
  let client: ClientHttp2Session
  let answer: (req: IncomingMessage, res: ServerResponse) => void
  let said = ''

  beforeAll(async () => {
    behind = await startBehind(kind)
    edge = behind.edge
    origin = await startOrigin((req, res) => answer(req, res), behind.where)
    origin.server.on('checkContinue', (req, res) => answer(req, res))
    raw = await startRawOrigin((socket) => void socket.write(said), behind.where)
    site = await behind.siteBefore(origin)
    rawSite = await behind.siteBefore(raw)
    const unread = createUnreadLimits({ totalBytes: 1e9, addressBytes: 1e9, log: createTestLog([]) })
    const http2 = createHttp2Server({
      timeouts: { headersMs: 1_000, requestMs, idleMs: 1_000 },
      handle: edge.handle,
      unread,
      clientOf: () => undefined,
      refuse: () => false,
    })
    front = createServer((socket) => http2.take(socket)).listen(0, '127.0.0.1')
    await once(front, 'listening')
    const address = front.address()
    if (address === null || typeof address === 'string') throw new Error('There is no port.')
    client = connect(`http://127.0.0.1:${address.port}`)
  })

  afterAll(async () => {
    client.destroy()
    front.close()
    await Promise.all([origin.close(), raw.close(), edge.close()])
  })

  function ask(path: string, headers = {}, end = true): ClientHttp2Stream {
    const { host } = path === '/raw' ? rawSite : site
    const stream = client.request({ ':path': path, ':authority': host, ...headers }, { endStream: end })
    return stream.on('error', () => {})
  }

  const headersOf = async (stream: ClientHttp2Stream) => (await once(stream, 'response'))[0]

  it('the server learns the host, the method and the fields, with the cookies in one', async () => {
    answer = async (req, res) => {
      res.setHeader('Set-Cookie', ['a=1', 'b=2'])
      res.end(
        JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body: await text(req) }),
      )
    }
    const stream = ask('/api/x?y', { ':method': 'POST', 'x-a': '1' }, false)
    stream.end('hello')
    const headers = await headersOf(stream)
    expect(headers).toMatchObject({ ':status': 200, 'set-cookie': ['a=1', 'b=2'] })
    const seen = JSON.parse(await text(stream))
    expect(seen).toMatchObject({ method: 'POST', url: '/api/x?y', body: 'hello' })
    expect(seen.headers).toMatchObject({
      'x-a': '1',
      'x-forwarded-host': site.host,
      'transfer-encoding': 'chunked',
    })
  })

  it('an upload and its answer may take longer than a request to a file', async () => {
    answer = async (req, res) => {
      const body = await text(req)
      setTimeout(() => res.end(body), requestMs + 2_100)
    }
    const stream = ask('/api/x', { ':method': 'PUT' }, false)
    stream.write('a')
    setTimeout(() => stream.end('b'), requestMs)
    expect(await headersOf(stream)).toMatchObject({ ':status': 200 })
    expect(await text(stream)).toBe('ab')
  })

  it('events come one by one, also after a silence', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('data: 1\n\n')
      setTimeout(() => res.end('data: 2\n\n'), requestMs + 2_100)
    }
    const stream = ask('/api/x')
    expect(await text(stream)).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('early hints come before the answer', async () => {
    said = 'HTTP/1.1 103 x\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const stream = ask('/raw')
    const [hint] = await once(stream, 'headers')
    expect(hint).toMatchObject({ ':status': 103, link: '</a>; rel=preload' })
    expect(await text(stream)).toBe('ok')
  })

  it('a 100 (Continue) is the server’s', async () => {
    const order: string[] = []
    answer = async (req, res) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      order.push('server')
      res.writeContinue()
      res.end(await text(req))
    }
    const stream = ask('/api/x', { ':method': 'POST', expect: '100-continue' }, false)
    await once(stream, 'continue')
    order.push('visitor')
    stream.end('hello')
    expect(await text(stream)).toBe('hello')
    expect(order).toEqual(['server', 'visitor'])
  })

  it('an answer that is cut short is reset', async () => {
    answer = (_req, res) => {
      res.write('part')
      setTimeout(() => res.destroy(), 50)
    }
    const stream = ask('/api/x')
    stream.resume()
    await new Promise((resolve) => stream.once('close', resolve))
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR)
  })

  it.each([
    ['a status that is none', 'HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n', 502],
    [
      'two types',
      'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 0\r\n\r\n',
      502,
    ],
    [
      'a field that is said twice',
      `HTTP/1.1 200 OK\r\n${'X-Content-Type-Options: nosniff\r\n'.repeat(2)}Content-Length: 0\r\n\r\n`,
      200,
    ],
    ['a control character', 'HTTP/1.1 200 OK\r\nX-B: a\u0001b\r\nContent-Length: 0\r\n\r\n', 502],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 502],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      502,
    ],
    ['a status of four digits', 'HTTP/1.1 1000 x\r\nContent-Length: 0\r\n\r\n', 502],
    ['a header that is too large', `HTTP/1.1 200 OK\r\nX-B: ${'x'.repeat(100_000)}\r\n\r\n`, 502],
    [
      'fields of a connection',
      'HTTP/1.1 200 OK\r\nConnection: x-a\r\nX-A: 1\r\nKeep-Alive: a\r\nContent-Length: 0\r\n\r\n',
      200,
    ],
    ['another protocol', 'HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 502],
    [
      'hints without end',
      `${'HTTP/1.1 103 x\r\nX-A: 1\r\n\r\n'.repeat(500)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
      502,
    ],
  ])('%s', async (_what, text, status) => {
    said = text
    const headers = await headersOf(ask('/raw').resume())
    expect(headers[':status']).toBe(status)
    expect(headers['x-a']).toBeUndefined()
  })

  it('a stream is reset once its visitor has no right to it', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('data: 1\n\n')
    }
    const own = await behind.siteBefore(origin)
    const stream = ask('/api/x', { ':authority': own.host })
    await headersOf(stream)
    const closed = new Promise((resolve) => stream.resume().once('close', resolve))
    await own.configure({ protection: 'all' })
    await closed
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR)
  })

  it('the server learns that the visitor has left', async () => {
    let hasLeft = false
    answer = (_req, res) => {
      res.once('close', () => {
        hasLeft = true
      })
      res.write('part')
    }
    const stream = ask('/api/x')
    await headersOf(stream)
    stream.close(constants.NGHTTP2_CANCEL)
    await until(() => hasLeft)
  })
})
