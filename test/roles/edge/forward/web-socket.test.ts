/** WebSockets that a rule passes on (RFC 6455). */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServedResponse } from '../../../../src/platform/observability/response-observer.ts'
import { exchange, untilClosed } from '../client.ts'
import type { Edge, TestSite } from '../edge.ts'
import { startBehind } from './behind.ts'
import { type Origin, startOrigin } from './origin.ts'

const silence = { messageMs: 300, streamMs: 300 }
const key = 'dGhlIHNhbXBsZSBub25jZQ=='
const acceptOf = (sent: string) =>
  createHash('sha1').update(`${sent}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

describe.each(['a rule', 'a server'] as const)('through %s', (kind) => {
  let edge: Edge
  let site: TestSite
  let origin: Origin
  let behind: Awaited<ReturnType<typeof startBehind>>
  const observed: ServedResponse[] = []
  /** The request of each WebSocket, and the server's end of it. */
  let taken: { req: IncomingMessage; socket: Socket }[] = []
  const last = () => taken.at(-1) ?? expect.unreachable('nobody came')

  beforeAll(async () => {
    behind = await startBehind(kind, { silence, observe: (answered) => observed.push(answered) })
    edge = behind.edge
    origin = await startOrigin(
      (_req, res) => res.writeHead(426, { 'x-why': 'plain' }).end('Upgrade!'),
      behind.where,
    )
    origin.server.on('upgrade', (req, socket: Socket, head) => {
      socket.on('error', () => {})
      if (req.url === '/ws/refused') {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno')
        return
      }
      taken.push({ req, socket })
      const accept = acceptOf(req.headers['sec-websocket-key'] ?? '')
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          `Sec-WebSocket-Accept: ${accept}\r\nSet-Cookie: svc_visit=1\r\n\r\nhello`,
      )
      socket.write(head)
      socket.pipe(socket)
    })
    site = await behind.siteBefore(origin, { 'index.html': 'home' })
  })

  afterAll(async () => {
    await origin.close()
    await edge.close()
  })

  const upgrade = { connection: 'keep-alive, Upgrade', upgrade: 'WebSocket', 'sec-websocket-key': key }

  function ask(path: string, headers: Record<string, string> = {}) {
    const sent = request({
      port: edge.port,
      path,
      agent: false,
      headers: { host: site.host, ...upgrade, 'sec-websocket-version': '13', ...headers },
    })
    sent.on('error', () => {})
    sent.end()
    return sent
  }

  async function open(path: string, headers: Record<string, string> = {}) {
    const [reply, socket, head] = await once(ask(path, headers), 'upgrade')
    let text = String(head)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      text += chunk
    })
    const until = async (expected: string) => {
      while (!text.includes(expected)) await once(socket, 'data')
    }
    return { reply, socket, until }
  }

  it('both sides say what they like, as soon as they like', async () => {
    const { reply, socket, until } = await open('/ws/chat?a=1', {
      cookie: 'a=b',
      'x-forwarded-for': '203.0.113.1',
    })
    expect(reply).toMatchObject({ statusCode: 101, headers: { 'sec-websocket-accept': acceptOf(key) } })
    expect(reply.headers['set-cookie']).toBeUndefined()
    await until('hello')
    socket.write('one')
    await until('one')
    const { headers, url } = last().req
    expect(url).toBe('/ws/chat?a=1')
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'sec-websocket-version': '13' })
    expect(headers.cookie).toBe(kind === 'a server' ? 'a=b' : undefined)
    socket.destroy()
  })

  it('what is sent behind the request in one packet arrives', async () => {
    const fields = `Host: ${site.host}\r\nConnection: Upgrade\r\nUpgrade: websocket`
    const head = `GET /ws/x HTTP/1.1\r\n${fields}\r\n\r\n`
    const talking = exchange(edge.port, `${head}early`)
    const reply = await talking
    expect(reply).toMatch(/^HTTP\/1\.1 101 /)
    expect(reply).toContain('helloearly')
  })

  it.each(['visitor', 'server'])('when the %s ends it, the other end ends', async (who) => {
    const { socket, until } = await open('/ws/x')
    await until('hello')
    const server = last().socket
    const closed = [untilClosed(server), untilClosed(socket)]
    ;(who === 'visitor' ? socket : server).destroy()
    await Promise.all(closed)
  })

  it('a silent one ends, and one that speaks goes on', async () => {
    const { socket, until } = await open('/ws/x')
    await until('hello')
    for (let count = 0; count < 4; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, silence.streamMs / 2))
      socket.write(`${count}`)
      await until(`${count}`)
    }
    await untilClosed(socket)
  })

  it('it is counted once it ends, with what the server has sent', async () => {
    observed.length = 0
    const { socket, until } = await open('/ws/x')
    await until('hello')
    expect(observed).toEqual([])
    socket.destroy()
    await expect.poll(() => observed).toMatchObject([{ status: 101, bytes: 5, projectId: site.projectId }])
  })

  it('a server’s refusal is the answer, after which the connection ends', async () => {
    const sent = ask('/ws/refused')
    const [reply] = await once(sent, 'response')
    expect([reply.statusCode, Buffer.concat(await reply.toArray()).toString()]).toEqual([403, 'no'])
    expect(reply.headers.connection).toBe('close')
  })

  it('a request for a file is answered with it', async () => {
    const [reply] = await once(ask('/index.html'), 'response')
    expect([reply.statusCode, Buffer.concat(await reply.toArray()).toString()]).toEqual([200, 'home'])
  })

  it.each(['h2c', 'websocket, x'])(
    '%s is no WebSocket: the server gets a plain request',
    async (protocol) => {
      const [reply] = await once(ask('/ws/x', { upgrade: protocol }), 'response')
      expect([reply.statusCode, reply.headers['x-why']]).toEqual([426, 'plain'])
    },
  )

  it('a protected site admits one as it does a GET', async () => {
    const own = await behind.siteBefore(origin)
    const bypassSha256 = createHash('sha256').update('secret').digest('hex')
    await own.configure({ protection: 'all', bypassSha256 })
    taken = []
    const refused = ask('/x', { host: own.host })
    const [reply] = await once(refused, 'response')
    expect([reply.statusCode, taken]).toEqual([401, []])
    reply.resume()
    const { socket, until } = await open('/x', { host: own.host, 'x-svc-bypass': 'secret' })
    await until('hello')
    expect(last().req.headers['x-svc-bypass']).toBeUndefined()
    socket.destroy()
  })
})
