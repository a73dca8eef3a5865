/** How the edge responds to bytes that no browser sends. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, untilClosed } from './client.ts'
import { type Edge, newSite, startEdge } from './edge.ts'

let edge: Edge
let host: string
const timeouts = { headersMs: 150, requestMs: 3_000, checkMs: 50 }

beforeAll(async () => {
  edge = await startEdge({ timeouts })
  const site = await newSite(edge)
  host = (await site.deploy({ 'index.html': 'home', 'evil/x': 'x' })).host
})

afterAll(() => edge.close())

const send = (...bytes: string[]) => exchange(edge.port, ...bytes)
const statuses = (reply: string) =>
  reply.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => Number(line.slice(9))) ?? []
/** A valid request with `fields` added, which closes its connection. */
const get = (target: string, ...fields: string[]) =>
  send([`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...fields, '', ''].join('\r\n'))

it('a plain request is answered', async () => {
  expect(await get('/')).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nhome$/)
})

it.each([
  ['', 'home'],
  ['/', 'home'],
  ['?a=http://b/', 'home'],
  ['/evil/x', 'x'],
  ['/evil/x?y', 'x'],
])(
  'a request for the absolute form of %j is answered by its authority, whatever the Host is',
  async (rest, body) => {
    for (const scheme of ['http', 'HTTP', 'https']) {
      const reply = await get(`${scheme}://${host}${rest}`)
      expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(reply.endsWith(`\r\n\r\n${body}`)).toBe(true)
    }
    const other = `GET http://${host}${rest} HTTP/1.1\r\nHost: other.example.com\r\nConnection: close\r\n\r\n`
    expect((await send(other)).endsWith(`\r\n\r\n${body}`)).toBe(true)
    const wrong = `GET http://other.example.com${rest} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(statuses(await send(wrong))).toEqual([404])
  },
)

describe('400 and a closed connection for', () => {
  const smuggled = `GET /evil/x HTTP/1.1\r\nHost: ${'web'}.localhost\r\n\r\n`

  it.each([
    ['two hosts', (h: string) => `GET / HTTP/1.1\r\nHost: ${h}\r\nHost: ${h}\r\n\r\n`],
    [
      'two identities',
      (h: string) => `GET / HTTP/1.1\r\nHost: ${h}\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n`,
    ],
    ['no host', () => 'GET / HTTP/1.1\r\n\r\n'],
    ['no host in HTTP/1.0', () => 'GET / HTTP/1.0\r\n\r\n'],
    ['an empty host', () => 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a host with a user', (h: string) => `GET / HTTP/1.1\r\nHost: a@${h}\r\n\r\n`],
    ['a host with a space', (h: string) => `GET / HTTP/1.1\r\nHost: a ${h}\r\n\r\n`],
    ['an absolute target of another scheme', (h: string) => `GET ftp://${h}/ HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['an absolute target with a user', (h: string) => `GET http://a@${h}/ HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['an absolute target without a host', (h: string) => `GET http:///x HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['an absolute target and no Host', (h: string) => `GET http://${h}/ HTTP/1.1\r\n\r\n`],
    [
      'an absolute target and two hosts',
      (h: string) => `GET http://${h}/ HTTP/1.1\r\nHost: ${h}\r\nHost: b\r\n\r\n`,
    ],
    [
      'an absolute target out of the root',
      (h: string) => `GET http://${h}/../x HTTP/1.1\r\nHost: ${h}\r\n\r\n`,
    ],
    ['an authority', (h: string) => `GET ${h} HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['an asterisk', (h: string) => `GET * HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['a fragment', (h: string) => `GET /#x HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['a path out of the root', (h: string) => `GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['a path with NUL', (h: string) => `GET /%00 HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['a broken escape', (h: string) => `GET /%zz HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['a control character', (h: string) => `GET /\u0001 HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['NUL in a field', (h: string) => `GET / HTTP/1.1\r\nHost: ${h}\r\nX: a\u0000b\r\n\r\n`],
    ['a folded field', (h: string) => `GET / HTTP/1.1\r\nHost: ${h}\r\nX: a\r\n b\r\n\r\n`],
    ['a bare line feed', (h: string) => `GET / HTTP/1.1\r\nHost: ${h}\nX: a\r\n\r\n`],
    ['a space before the colon', (h: string) => `GET / HTTP/1.1\r\nHost : ${h}\r\n\r\n`],
    [
      'two lengths',
      (h: string) => `GET / HTTP/1.1\r\nHost: ${h}\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n`,
    ],
    [
      'a length beside chunks',
      (h: string) =>
        `GET / HTTP/1.1\r\nHost: ${h}\r\n` +
        `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'an unknown coding',
      (h: string) => `POST / HTTP/1.1\r\nHost: ${h}\r\nTransfer-Encoding: xchunked\r\n\r\n${smuggled}`,
    ],
    ['an unknown method', (h: string) => `NONSENSE / HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    ['arbitrary bytes', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n'],
    [
      'chunks in HTTP/1.0',
      (h: string) =>
        `POST / HTTP/1.0\r\nHost: ${h}\r\n` +
        `Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a version before', (h: string) => `GET / HTTP/0.9\r\nHost: ${h}\r\n\r\n`],
    ['a version of another protocol', (h: string) => `GET / HTTP/2.0\r\nHost: ${h}\r\n\r\n`],
    ['another version', (h: string) => `GET / HTTP/3.0\r\nHost: ${h}\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    const reply = await send(bytes(host))
    expect(statuses(reply)).toEqual([400])
    expect(reply).toMatch(/\r\nConnection: close\r\n/)
    expect(reply).toMatch(/\r\nCache-Control: no-store\r\n/)
  })
})

describe('a host may be spelled', () => {
  it.each([
    ['in capitals', (h: string) => h.toUpperCase()],
    ['with a trailing dot', (h: string) => `${h}.`],
    ['with a port', (h: string) => `${h}:8080`],
    ['with all of them', (h: string) => `${h.toUpperCase()}.:80`],
  ])('%s', async (_, spell) => {
    const reply = await send(`GET / HTTP/1.1\r\nHost: ${spell(host)}\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nhome$/)
  })
})

it.each(['//evil/x', '///', '/evil//x', '/%2fevil/x'])('404 without a redirect for %s', async (target) => {
  const reply = await get(target)
  expect(statuses(reply)).toEqual([404])
  expect(reply).not.toMatch(/location/i)
})

it('a response that has begun is sent whole, whatever follows its request', async () => {
  const content = 'a'.repeat(8_000_000)
  const large = await (await newSite(edge)).deploy({ 'large.txt': content })
  const socket = connect({ port: edge.port, host: '127.0.0.1' })
  socket.write(`GET /large.txt HTTP/1.1\r\nHost: ${large.host}\r\n\r\n`)
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    if (received === '') socket.write('no request\r\n\r\n')
    received += chunk
  })
  await once(socket, 'end')
  socket.destroy()
  expect(statuses(received)).toEqual([200])
  expect(received.endsWith(content)).toBe(true)
})

it('a last response is sent whole to a client that goes on sending', async () => {
  const content = 'a'.repeat(8_000_000)
  const large = await (await newSite(edge)).deploy({ 'large.txt': content })
  const socket = connect({ port: edge.port, host: '127.0.0.1', noDelay: true })
  socket.write(`GET /large.txt HTTP/1.1\r\nHost: ${large.host}\r\nConnection: close\r\n\r\n`)
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
    socket.write('more')
  })
  await untilClosed(socket)
  expect(received.endsWith(`\r\n\r\n${content}`)).toBe(true)
})

it('bytes that a client sends after its last response are read until it ends', async () => {
  const errors: Error[] = []
  const socket = connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', (error) => errors.push(error)).resume()
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'end')
  socket.write('more')
  // By then a reset would have arrived.
  await get('/')
  socket.end('and more')
  await untilClosed(socket)
  expect(errors).toEqual([])
})

describe('405 with Allow for', () => {
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])('%s', async (method) => {
    const reply = await send(`${method} / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(statuses(reply)).toEqual([405])
    expect(reply).toMatch(/\r\nAllow: GET, HEAD\r\n/)
  })

  it('with Expect: 100-continue, without requesting the body', async () => {
    const fields = `Host: ${host}\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\nConnection: close`
    expect(statuses(await send(`PUT / HTTP/1.1\r\n${fields}\r\n\r\n`))).toEqual([405])
  })
})

describe('a body is not read, and the response says what becomes of the connection', () => {
  const get = (h: string) => `GET /evil/x HTTP/1.1\r\nHost: ${h}\r\nConnection: close\r\n\r\n`

  it.each([
    ['a long one', 'POST /', `Content-Length: ${1 << 20}`, 'x'.repeat(1 << 20), [405]],
    ['one in chunks', 'POST /', 'Transfer-Encoding: chunked', '1\r\nx\r\n0\r\n\r\n', [405]],
    ['one that waits', 'PUT /', 'Content-Length: 3\r\nExpect: 100-continue', '', [405]],
    ['one that waits for something else', 'PUT /', 'Content-Length: 99999999\r\nExpect: x', '', [405]],
    ['one of a GET that waits for something else', 'GET /', 'Content-Length: 9999\r\nExpect: x', '', [200]],
    ['a long one of a GET', 'GET /', `Content-Length: ${1 << 20}`, 'x'.repeat(1 << 20), [200]],
    ['one without end', 'GET /missing', 'Content-Length: 99999999999999999', 'x', [404]],
    ['a short one', 'POST /', 'Content-Length: 3', 'abc', [405, 200]],
    ['a short one of a GET', 'GET /', 'Content-Length: 3', 'abc', [200, 200]],
  ])('%s', async (_, line, field, body, expected) => {
    const reply = await send(`${line} HTTP/1.1\r\nHost: ${host}\r\n${field}\r\n\r\n`, `${body}${get(host)}`)
    expect(statuses(reply)).toEqual(expected)
    expect(reply).toMatch(/\r\nConnection: close\r\n/)
  })
})

describe('a connection of HTTP/1.0', () => {
  it.each([
    ['ends with the first response', [], [200]],
    ['goes on on request', ['Connection: keep-alive'], [200, 200]],
  ])('%s', async (_, fields, expected) => {
    const get = (...more: string[]) => ['GET / HTTP/1.0', `Host: ${host}`, ...more, '', ''].join('\r\n')
    expect(statuses(await send(get(...fields) + get()))).toEqual(expected)
  })
})

it('405 and a closed connection for CONNECT, after the requests before it', async () => {
  const plain = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const tunnel = `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const reply = await send(`${plain}${tunnel}${plain}`)
  expect(statuses(reply)).toEqual([200, 405])
  expect(reply).toMatch(/\r\nAllow: GET, HEAD\r\nConnection: close\r\n/)
})

describe('an upgrade is ignored, and the requests around it are answered', () => {
  const settings = 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA'

  it.each([
    ['to a websocket', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AA==', '', 200],
    ['to HTTP/2', `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${settings}`, '', 200],
    ['with a body', 'Connection: upgrade\r\nUpgrade: a/1, b\r\nContent-Length: 3', 'abc', 200],
  ])('%s', async (_, fields, body, status) => {
    const get = (path: string, ...more: string[]) =>
      `${[`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more].join('\r\n')}\r\n\r\n`
    const upgrade = get('/', fields) + body
    const last = get('/evil/x', 'Connection: close')
    const reply = await send(`${get('/missing')}${upgrade}${upgrade}${last.slice(0, 9)}`, last.slice(9))
    expect(statuses(reply)).toEqual([404, status, status, 200])
    expect(reply.endsWith('\r\n\r\nx')).toBe(true)
  })
})

describe('431 for', () => {
  it.each([
    ['201 fields', 198, 'x'],
    ['2,500 fields', 2_500, 'x'],
    ['2,500 short fields', 2_500, ''],
  ])('%s', async (_, count, value) => {
    const fields = Array.from({ length: count }, () => `a:${value}`)
    expect(statuses(await get('/', ...fields, `Authorization: Bearer x`))).toEqual([431])
  })

  it('one long field', async () => {
    expect(statuses(await get('/', `a: ${'x'.repeat(17_000)}`))).toEqual([431])
    expect(statuses(await get('/', `a: ${'x'.repeat(100_000)}`))).toEqual([431])
  })

  it('a long target', async () => {
    expect(statuses(await get(`/${'x'.repeat(17_000)}`))).toEqual([431])
  })

  it('but not for 200 fields', async () => {
    expect(statuses(await get('/', ...Array.from({ length: 198 }, () => 'a:')))).toEqual([200])
  })
})

describe('408 for', () => {
  it.each([
    ['a connection that sends nothing', ''],
    ['a header that stops', 'GET / HTTP/1.1\r\nHost: x'],
  ])('%s', async (_, bytes) => {
    const startedMs = performance.now()
    expect(statuses(await send(bytes))).toEqual([408])
    expect(performance.now() - startedMs).toBeLessThan(1_000)
  })

  it('a header that trickles', async () => {
    const socket = connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true })
    const closed = untilClosed(socket)
    const startedMs = performance.now()
    socket.write('GET / HTTP/1.1\r\n')
    const timer = setInterval(() => socket.write('a: b\r\n'), 20)
    const [reply] = await once(socket, 'data')
    expect(statuses(String(reply))).toEqual([408])
    expect(performance.now() - startedMs).toBeLessThan(timeouts.requestMs - 500)
    // It keeps sending, and is disconnected soon.
    await closed
    clearInterval(timer)
  })

  it('an endless body is not read to its end', { tags: 'long' }, async () => {
    const socket = connect(edge.port, '127.0.0.1')
    const closed = untilClosed(socket)
    const startedMs = performance.now()
    let reply = ''
    socket.on('data', (chunk) => {
      reply += chunk
    })
    socket.write(`POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20)
    await closed
    clearInterval(timer)
    expect(statuses(reply)[0]).toBe(405)
    expect(performance.now() - startedMs).toBeLessThan(timeouts.requestMs + 3_000)
  })
})

it('other clients are answered while many connections are slow', async () => {
  const idle = Array.from({ length: 200 }, () => connect(edge.port, '127.0.0.1').on('error', () => {}))
  await Promise.all(idle.map((socket) => once(socket, 'connect')))
  const startedMs = performance.now()
  expect(statuses(await get('/'))).toEqual([200])
  expect(performance.now() - startedMs).toBeLessThan(1_000)
  for (const socket of idle) socket.destroy()
})

it('garbage behind a request gets no response in its place', async () => {
  const reply = await send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\nGARBAGE\r\n\r\n`)
  expect([[], [200], [200, 400]]).toContainEqual(statuses(reply))
})
