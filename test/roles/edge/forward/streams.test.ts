/** What is passed on as it comes: bodies, events, hints, and where they end. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../support/eventually.ts'
import { exchange, untilClosed } from '../client.ts'
import { type Edge, newSite, type TestSite } from '../edge.ts'
import { startBehind } from './behind.ts'
import { type Origin, startOrigin, startRawOrigin } from './origin.ts'

const silence = { messageMs: 300, streamMs: 900 }

describe.each(['a rule', 'a server'] as const)('through %s', (kind) => {
  let edge: Edge
  let site: TestSite
  let rawSite: TestSite
  let origin: Origin
  let raw: Awaited<ReturnType<typeof startRawOrigin>>
  let answer: (req: IncomingMessage, res: ServerResponse) => void
  let talk: (socket: Socket) => void

  beforeAll(async () => {
    const behind = await startBehind(kind, {
      silence,
      timeouts: { headersMs: 400, requestMs: 400, checkMs: 50 },
    })
    edge = behind.edge
    origin = await startOrigin((req, res) => answer(req, res), behind.where)
    origin.server.on('checkContinue', (req, res) => answer(req, res))
    raw = await startRawOrigin((socket) => talk(socket), behind.where)
    site = await behind.siteBefore(origin)
    rawSite = await behind.siteBefore(raw)
  })

  afterAll(async () => {
    await origin.close()
    await raw.close()
    await edge.close()
  })

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  function ask(path: string, method = 'GET', headers: Record<string, string> = {}): ClientRequest {
    const sent = request({
      port: edge.port,
      path,
      method,
      agent: false,
      headers: { host: path === '/raw' ? rawSite.host : site.host, ...headers },
    })
    sent.on('error', () => {})
    return sent
  }

  async function digestOf(stream: AsyncIterable<Buffer>) {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of stream) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return { bytes, digest: hash.digest('hex') }
  }

  const mebibyte = 1024 * 1024

  it('a hundred megabytes arrive each way', async () => {
    const chunk = randomBytes(mebibyte)
    const many = () => Readable.from(Array.from({ length: 100 }, () => chunk))
    const expected = await digestOf(many())
    let received: Promise<unknown> | undefined
    answer = (req, res) => {
      received = digestOf(req)
      received.then(() => many().pipe(res))
    }
    const sent = ask('/api/x', 'PUT')
    many().pipe(sent)
    const [reply] = await once(sent, 'response')
    expect(await digestOf(reply)).toEqual(expected)
    expect(await received).toEqual(expected)
  })

  /** Writes 200 MiB, as they are taken. */
  function writeOn(res: ServerResponse, count: (bytes: number) => void): void {
    const chunk = randomBytes(mebibyte)
    let left = 200
    const more = () => {
      while (left > 0) {
        left -= 1
        count(chunk.length)
        if (!res.write(chunk)) return
      }
    }
    res.on('drain', more)
    more()
  }

  it('a server that reads nothing holds the visitor, and a visitor the server', async () => {
    let written = 0
    answer = (req, res) => {
      req.pause()
      writeOn(res, (bytes) => {
        written += bytes
      })
    }
    const sent = ask('/api/x', 'POST')
    const chunk = Buffer.alloc(mebibyte)
    let accepted = 0
    const push = () => {
      while (accepted < 200 * mebibyte && sent.write(chunk)) accepted += chunk.length
    }
    sent.on('drain', push)
    push()
    const [reply] = await once(sent, 'response')
    reply.pause()
    await pause(150)
    expect(written).toBeLessThan(40 * mebibyte)
    expect(accepted).toBeLessThan(40 * mebibyte)
    sent.destroy()
  })

  it('a visitor of a page that takes nothing holds the server', async () => {
    let written = 0
    answer = (_req, res) => {
      writeOn(res, (bytes) => {
        written += bytes
      })
    }
    const sent = ask('/api/x')
    sent.end()
    const [reply] = await once(sent, 'response')
    reply.pause()
    for (let before = -1; before !== written; ) {
      before = written
      await pause(150)
    }
    expect(written).toBeLessThan(40 * mebibyte)
    sent.destroy()
  })

  it('an upload may take longer than a request to a file', async () => {
    answer = async (req, res) => res.end(String((await digestOf(req)).bytes))
    const sent = ask('/api/x', 'POST')
    for (let count = 0; count < 6; count += 1) {
      sent.write('x')
      await pause(150)
    }
    sent.end()
    const [reply] = await once(sent, 'response')
    expect(Buffer.concat(await reply.toArray()).toString()).toBe('6')
  })

  it('but not to a file', async () => {
    const { host } = await (await newSite(edge)).deploy({ 'index.html': 'home' })
    const reply = await exchange(edge.port, `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1\.1 405 /)
  })

  it('a 100 (Continue) is the server’s', async () => {
    const order: string[] = []
    answer = async (req, res) => {
      order.push('head')
      await pause(50)
      order.push('continue')
      res.writeContinue()
      res.end(String((await digestOf(req)).bytes))
    }
    const sent = ask('/api/x', 'POST', { expect: '100-continue', 'content-length': '5' })
    sent.flushHeaders()
    await once(sent, 'continue')
    expect(order).toEqual(['head', 'continue'])
    sent.end('hello')
    const [reply] = await once(sent, 'response')
    expect(Buffer.concat(await reply.toArray()).toString()).toBe('5')
  })

  it('or refused before it is sent, after which the connection ends', async () => {
    answer = (_req, res) => res.writeHead(413).end('too large')
    const fields = 'Expect: 100-continue\r\nContent-Length: 5'
    const head = `POST /api/x HTTP/1.1\r\nHost: ${site.host}\r\n${fields}\r\n\r\n`
    const reply = await exchange(edge.port, head)
    expect(reply).toMatch(/^HTTP\/1\.1 413 /)
    expect(reply).toMatch(/connection: close/i)
    expect(reply).not.toContain('100 Continue')
  })

  it('a server that answers before it has read the body gets no more of it', async () => {
    let hasEnded = false
    answer = (req, res) => {
      req.socket.once('close', () => {
        hasEnded = true
      })
      res.writeHead(413).end('too large')
    }
    const sent = ask('/api/x', 'POST', { 'content-length': '100' })
    sent.write('part')
    const [reply] = await once(sent, 'response')
    expect([reply.statusCode, reply.headers.connection]).toEqual([413, 'close'])
    expect(Buffer.concat(await reply.toArray()).toString()).toBe('too large')
    await until(() => hasEnded)
  })

  it('a connection serves the next request after a long body', async () => {
    answer = async (req, res) => res.end(String((await digestOf(req)).bytes))
    const head = `POST /api/x HTTP/1.1\r\nHost: ${site.host}\r\nContent-Length: 100000\r\n\r\n`
    const one = head + 'x'.repeat(100_000)
    const two = `GET /api/x HTTP/1.1\r\nHost: ${site.host}\r\nConnection: close\r\n\r\n`
    const reply = await exchange(edge.port, one, two)
    expect(reply.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  it('early hints come before the answer, as many as are of use', async () => {
    talk = (socket) => {
      const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload; as=style\r\nX-A: 1\r\n\r\n'
      const others = ['103 x\r\nX-A: 1', '103 x\r\nLink: no link', '102 Processing']
        .map((each) => `HTTP/1.1 ${each}\r\n\r\n`)
        .join('')
      socket.write(`${hint.repeat(20)}${others}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)
    }
    const sent = ask('/raw')
    const hints: unknown[] = []
    sent.on('information', ({ statusCode, headers }) => hints.push([statusCode, headers]))
    sent.end()
    const [reply] = await once(sent, 'response')
    expect(Buffer.concat(await reply.toArray()).toString()).toBe('ok')
    expect(hints).toEqual(Array(8).fill([103, { link: '</a.css>; rel=preload; as=style' }]))
  })

  it('trailers come behind the body, both ways', async () => {
    answer = async (req, res) => {
      await digestOf(req)
      res.writeHead(200, { Trailer: 'X-Sum' })
      res.write('x')
      res.addTrailers({ 'X-Sum': String(req.trailers['x-count']) })
      res.end()
    }
    const sent = ask('/api/x', 'POST', { 'transfer-encoding': 'chunked', trailer: 'X-Count' })
    sent.write('body')
    sent.addTrailers({ 'X-Count': '4' })
    sent.end()
    const [reply] = await once(sent, 'response')
    await reply.toArray()
    expect(reply.trailers).toEqual({ 'x-sum': '4' })
  })

  it('events come one by one, also after a silence longer than an answer’s', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('data: 1\n\n')
      setTimeout(() => res.end('data: 2\n\n'), silence.messageMs * 2)
    }
    const sent = ask('/api/x')
    sent.end()
    const [reply] = await once(sent, 'response')
    const [first] = await once(reply, 'data')
    expect(String(first)).toBe('data: 1\n\n')
    expect(Buffer.concat(await reply.toArray()).toString()).toBe('data: 2\n\n')
  })

  it.each([
    ['a server that says nothing', 504, () => {}],
    [
      'a server that gives hints without end',
      504,
      (socket: Socket) => {
        const hints = setInterval(() => socket.write('HTTP/1.1 103 x\r\nX-A: 1\r\n\r\n'), 20)
        socket.once('close', () => clearInterval(hints))
      },
    ],
    ['a server that ends the connection', 502, (socket: Socket) => socket.destroy()],
    ['what is not HTTP', 502, (socket: Socket) => socket.end('SSH-2.0-x\r\n')],
    [
      'another protocol without a request for it',
      502,
      (socket: Socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
    [
      'a status that is none',
      502,
      (socket: Socket) => socket.write('HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'a status that HTTP/2 has not',
      502,
      (socket: Socket) => socket.write('HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'two places to go to',
      502,
      (socket: Socket) =>
        socket.write('HTTP/1.1 302 x\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'a header that is too large',
      502,
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(70_000)}\r\n\r\n`),
    ],
  ])('%s is answered with %i', async (_what, status, say) => {
    talk = say
    const sent = ask('/raw')
    sent.end()
    const [reply] = await once(sent, 'response')
    expect(reply.statusCode).toBe(status)
    expect(Buffer.concat(await reply.toArray()).toString()).toMatch(/^The server behind this path /)
  })

  it.each([
    ['with a length', 'Content-Length: 100\r\n\r\npart', 'HTTP/1.1'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n', 'HTTP/1.1'],
    [
      'in chunks, for a visitor who knows none',
      'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n',
      'HTTP/1.0',
    ],
  ])('an answer %s that is cut short is cut for the visitor', async (_what, head, version) => {
    talk = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}`)
      setTimeout(() => socket.destroy(), 50)
    }
    const socket = connect(edge.port, '127.0.0.1')
    let text = ''
    let error: Error | undefined
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', (each) => {
      error = each
    })
    socket.write(`GET /raw ${version}\r\nHost: ${rawSite.host}\r\nConnection: close\r\n\r\n`)
    await untilClosed(socket)
    expect(text).toContain('part')
    expect(text).not.toContain('\r\n0\r\n')
    if (version === 'HTTP/1.0') expect(error).toMatchObject({ code: 'ECONNRESET' })
  })

  it('an answer that stays silent is cut short', async () => {
    talk = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
    const sent = ask('/raw')
    sent.end()
    const [reply] = await once(sent, 'response')
    await expect(reply.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it.each(['before the answer', 'during it'])(
    'the server learns that a visitor has left %s',
    async (when) => {
      let left: Promise<unknown> | undefined
      const arrived = new Promise<void>((resolve) => {
        answer = (req, res) => {
          left = once(res, 'close')
          req.resume()
          if (when === 'during it') res.write('part')
          resolve()
        }
      })
      const sent = ask('/api/x')
      sent.end()
      await arrived
      if (when === 'during it') await once(sent, 'response')
      sent.destroy()
      await left
    },
  )

  it('a kept connection that the server has ended is opened again', async () => {
    let count = 0
    talk = (socket) => {
      count += 1
      if (count === 2) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    }
    for (const _ of [1, 2]) {
      const sent = ask('/raw')
      sent.end()
      const [reply] = await once(sent, 'response')
      expect([reply.statusCode, Buffer.concat(await reply.toArray()).toString()]).toEqual([200, 'ok'])
    }
    expect(count).toBe(3)
  })
})
