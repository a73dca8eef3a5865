/** Requests that a rule passes on to another server, over real sockets. */
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../../support/eventually.ts'
import { sendRequest, untilClosed } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import { type Origin, startOrigin } from './origin.ts'

let edge: Edge
let site: TestSite
let origin: Origin
/** What the server behind the rule answers, until a test says otherwise. */
let answer: (req: IncomingMessage, res: ServerResponse) => void
let seen: IncomingMessage[] = []

const echo = async (req: IncomingMessage, res: ServerResponse) => {
  const body = await text(req)
  res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.rawHeaders, body }))
}

beforeAll(async () => {
  edge = await startEdge()
  origin = await startOrigin((req, res) => {
    seen.push(req)
    answer(req, res)
  })
  site = await newSite(edge)
  const { id } = await site.deploy({
    'index.html': 'home',
    'api/file.txt': 'a file',
    _redirects: [
      `/api/* ${origin.url}/v1/:splat 200`,
      `/fixed ${origin.url}/there?x=1 200`,
      `/forced/* ${origin.url}/:splat 200!`,
      `/users/:id ${origin.url}/u?id=:id 200`,
    ].join('\n'),
    'forced/a.txt': 'never',
    _headers: '/api/*\n  X-Site: 1\n  X-Both: site\n  Cache-Control: max-age=60',
  })
  await site.promote(id)
})

afterAll(async () => {
  await origin.close()
  await edge.close()
})

type Sent = { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer }

/** The answer as it came; its body is read by whoever wants it. */
async function open(
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<IncomingMessage> {
  const sent = request({
    port: edge.port,
    host: '127.0.0.1',
    path,
    method,
    agent: false,
    headers: { host: site.host, ...headers },
  })
  sent.end(body)
  const [reply] = await once(sent, 'response')
  return reply
}

async function passed(path: string, sent: Sent = {}) {
  answer = echo
  const reply = await open(path, sent)
  const { headers, ...rest } = JSON.parse(await text(reply))
  const fields = new Map<string, string[]>()
  for (let at = 0; at < headers.length; at += 2) {
    const key = headers[at].toLowerCase()
    fields.set(key, [...(fields.get(key) ?? []), headers[at + 1]])
  }
  return { ...rest, fields, reply }
}

it.each([
  ['/api/a/b?c=d', '/v1/a/b?c=d'],
  ['/api', '/v1/'],
  ['/api/ä%2Fb%3F', '/v1/%C3%A4%2Fb%3F'],
  ['/fixed', '/there?x=1'],
  ['/fixed?y=2', '/there?x=1'],
  ['/users/7%268?z', '/u?id=7%268'],
  ['/forced/a.txt', '/a.txt'],
  ['/api/x?x-svc-bypass=secret&a=1', '/v1/x?a=1'],
])('%s is requested as %s', async (path, url) => {
  expect(await passed(path.replace('ä', '%C3%A4'))).toMatchObject({ url })
})

it('files come before rules that are not forced', async () => {
  expect((await sendRequest(edge.port, site.host, '/api/file.txt')).text).toBe('a file')
  expect((await sendRequest(edge.port, site.host, '/api/file.txt', {}, 'POST')).status).toBe(405)
})

it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  '%s is passed on',
  async (method) => {
    seen = []
    answer = echo
    const reply = await open('/api/x', { method })
    expect(reply.statusCode).toBe(200)
    await buffer(reply)
    expect(seen[0]?.method).toBe(method)
  },
)

it('the server learns who asks, and nothing that a visitor says of that', async () => {
  const headers = {
    'x-forwarded-for': '203.0.113.1',
    'x-custom': ['1', '2'],
    connection: 'x-drop',
    'x-drop': '1',
  }
  const { fields } = await passed('/api/x', { headers })
  expect(Object.fromEntries(fields)).toMatchObject({
    host: [new URL(origin.url).host],
    'x-custom': ['1', '2'],
    'x-forwarded-for': ['127.0.0.1'],
    'x-forwarded-host': [site.host],
    'x-forwarded-proto': ['http'],
    'cdn-loop': ['svc'],
  })
  expect(fields.has('x-drop')).toBe(false)
})

it('cookies and credentials stay here, since the server is none of the project', async () => {
  const { fields } = await passed('/api/x', { headers: { cookie: 'a=b', authorization: 'Bearer x' } })
  expect([fields.has('cookie'), fields.has('authorization')]).toEqual([false, false])
})

it('the answer comes as it is, with the headers of the site that it lacks', async () => {
  answer = (_req, res) => {
    res.writeHead(418, ['X-Both', 'server', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Alt-Svc', 'h3=":1"'])
    res.end('short and stout')
  }
  const reply = await sendRequest(edge.port, site.host, '/api/x')
  expect(reply).toMatchObject({ status: 418, text: 'short and stout' })
  expect(reply.headers).toMatchObject({ 'x-site': '1', 'x-both': 'server', 'set-cookie': ['a=1', 'b=2'] })
  expect(reply.headers['alt-svc']).toBeUndefined()
  // An error isn't kept as long as what the path is meant to have.
  expect(reply.headers['cache-control']).toBeUndefined()
  answer = (_req, res) => res.end()
  expect((await sendRequest(edge.port, site.host, '/api/x')).headers['cache-control']).toBe('max-age=60')
})

it('redirects are the visitor’s to follow', async () => {
  answer = (_req, res) => res.writeHead(302, { location: 'http://127.0.0.1/secret' }).end()
  const reply = await sendRequest(edge.port, site.host, '/api/x')
  expect(reply).toMatchObject({ status: 302, headers: { location: 'http://127.0.0.1/secret' } })
})

it.each([
  ['with a length', { 'content-length': '5' }, 'hello'],
  ['in chunks', { 'transfer-encoding': 'chunked' }, 'hello'],
  ['empty', { 'content-length': '0' }, ''],
])('a body %s', async (_what, headers, body) => {
  expect(await passed('/api/x', { method: 'POST', headers, body })).toMatchObject({ method: 'POST', body })
})

it('the answer to HEAD has its length and no body', async () => {
  answer = (_req, res) => res.writeHead(200, { 'content-length': '1000' }).end()
  const reply = await sendRequest(edge.port, site.host, '/api/x', {}, 'HEAD')
  expect(reply).toMatchObject({ status: 200, text: '', headers: { 'content-length': '1000' } })
})

it('the server learns that a body is broken off', async () => {
  let isBroken = false
  const arrived = new Promise<void>((resolve) => {
    answer = (req) => {
      req.once('error', () => {
        isBroken = true
      })
      req.once('data', () => resolve())
    }
  })
  const socket = connect(edge.port, '127.0.0.1')
  socket.write(`POST /api/x HTTP/1.1\r\nHost: ${site.host}\r\nContent-Length: 100\r\n\r\npart`)
  const closed = untilClosed(socket)
  await arrived
  socket.end()
  await until(() => isBroken)
  await closed
})

it('a page of the platform is never a server’s', async () => {
  const { id } = await site.deploy({ _redirects: `/* ${origin.url}/:splat 200!` })
  await site.promote(id)
  answer = echo
  expect((await sendRequest(edge.port, site.host, '/anything')).status).toBe(200)
  for (const path of ['/.well-known/svc/enter', '/.well-known/acme-challenge/x'])
    expect((await sendRequest(edge.port, site.host, path)).status).toBe(404)
})
