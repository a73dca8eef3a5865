/** What a site with a server of its own answers itself, and what reaches that server. */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claim } from '../../../support/claims.ts'
import { callerOf } from '../caller.ts'
import { sendRequest } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import { type Origin, startOrigin } from './origin.ts'
import { createTestServers, type TestServers } from './servers.ts'

let edge: Edge
let own: Origin
let other: Origin
let servers: TestServers
let site: TestSite
let seen: IncomingMessage[] = []

const secret = 'secret-of-at-least-32-characters!'

beforeAll(async () => {
  own = await startOrigin(async (req, res) => {
    seen.push(req)
    const body = await text(req)
    res.setHeader('X-Both', 'server')
    res.setHeader('Set-Cookie', ['a=1', 'svc_visit=1', 'b=2; Domain=localhost'])
    res.end(`${req.method} ${req.url} ${body}`)
  }, 'socket')
  other = await startOrigin((req, res) => res.end(`other ${req.method} ${req.url}`))
  servers = createTestServers(() => own)
  edge = await startEdge({ servers })
  site = await newSite(edge)
  const { id } = await site.deploy(
    {
      'index.html': 'a page',
      '404.html': 'a page for what is missing',
      'about.html': 'about',
      'docs/index.html': 'docs',
      'assets/app.js': 'a script',
      'forced/a.txt': 'never',
      'standing.txt': 'standing in',
      _redirects: [
        '/forced/* /gone 301!',
        '/assets/* /nowhere 301',
        '/old /new 302',
        `/api/* ${other.url}/:splat 200`,
        '/rewritten /standing.txt 200',
        '/app/* /no-such-file.html 200',
        '/blocked/* /404.html 404',
      ].join('\n'),
      _headers: '/*\n  X-Site: 1\n  X-Both: site',
    },
    { hasServer: true },
  )
  await site.promote(id)
  await site.configure({ spa: true })
})

afterAll(async () => {
  await Promise.all([own.close(), other.close()])
  await edge.close()
})

beforeEach(() => {
  seen = []
  servers.wanted.length = 0
})

const get = (path: string, headers = {}, method = 'GET') =>
  sendRequest(edge.port, site.host, path, headers, method)

describe('a site with a server answers itself', () => {
  it.each(['GET', 'HEAD'])('%s of a file by its exact path', async (method) => {
    const reply = await get('/assets/app.js', {}, method)
    expect(reply).toMatchObject({ status: 200, headers: { 'x-site': '1', 'content-length': '8' } })
    expect(reply.headers.etag).toBeDefined()
  })

  it.each([
    ['/assets/app.js', 200, 'a script'],
    ['/assets/%61pp.js', 200, 'a script'],
    ['/forced/a.txt', 301, ''],
    ['/assets/other.js', 301, ''],
    ['/old?a=1', 302, ''],
    ['/api/x?y', 200, 'other GET /x?y'],
    ['/rewritten', 200, 'standing in'],
    ['/blocked/x', 404, 'a page for what is missing'],
  ])('%s', async (path, status, body) => {
    expect(await get(path)).toMatchObject({ status, text: body })
    expect(seen).toEqual([])
  })

  it('every method by a rule', async () => {
    expect(await get('/old', {}, 'POST')).toMatchObject({ status: 302, headers: { location: '/new' } })
    expect((await get('/forced/x', {}, 'DELETE')).status).toBe(301)
    expect((await get('/blocked/x', {}, 'POST')).status).toBe(404)
    expect((await get('/api/x', {}, 'PUT')).text).toBe('other PUT /x')
    expect(seen).toEqual([])
  })

  it.each([
    '/.well-known/svc/enter',
    '/.well-known/svc/anything',
    '//.well-known/svc/enter',
    '/.WELL-known/svc;a/enter',
    '/%2ewell-known/%73vc/enter',
    '/.well-known/acme-challenge/x',
    '/.well-known/%61cme-challenge/x',
    '/.well-known/pki-validation/x',
  ])('%s, whatever the method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PROPFIND'])
      expect((await get(path, {}, method)).status).toBe(404)
    expect(seen).toEqual([])
  })
})

describe('its server gets', () => {
  it.each([
    '/',
    '/index',
    '/about',
    '/docs',
    '/docs/',
    '/about/',
    '/404',
    '/anything',
    '/missing.js',
    '/assets%2Fapp.js',
    '/app/x',
    '/a%2Fb//c;d=e/%C3%A4?x=%20&y=a+b&&',
    '/%7Euser/.%2ehidden',
  ])('%s as it was sent', async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, text: `GET ${path} ` })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])('%s', async (method) => {
    for (const path of ['/x', '/about.html', '/rewritten'])
      expect(await get(path, {}, method)).toMatchObject({ status: 200, text: `${method} ${path} ` })
  })

  it.each([
    'server.mjs',
    '.env',
    'Procfile',
    'package.json',
    'node_modules/x/index.js',
    '_redirects',
    '_headers',
  ])('/%s, however it is written', async (path) => {
    const encoded = [...path].map((each) => (each === '/' ? each : `%${each.charCodeAt(0).toString(16)}`))
    for (const each of [path, encoded.join(''), `/${path}`, path.replaceAll('/', '%2F'), `${path}?x`]) {
      const reply = await get(`/${each}`, { range: 'bytes=0-10', 'if-none-match': '*' })
      expect(reply).toMatchObject({ status: 200, text: `GET /${each} ` })
    }
  })

  it('a request without the parameters of the platform', async () => {
    const reply = await get(`/x?a=1&x-svc-bypass=${secret}&b=%20&x-svc-share=abc&x%2Dsvc-bypass=1`)
    expect(reply.text).toBe('GET /x?a=1&b=%20 ')
  })

  it('what its visitor says, and what the platform says of the visitor', async () => {
    const sent = {
      cookie: 'a=b; svc_visit=1; __Host-svc_visit=2; c=d',
      authorization: 'Bearer mine',
      'x-svc-bypass': secret,
      'x-svc-other': '1',
      'x-forwarded-for': '203.0.113.1',
      'x-forwarded-port': '1',
      'x-real-ip': '203.0.113.1',
      forwarded: 'for=203.0.113.1',
      connection: 'x-drop',
      'x-drop': '1',
      'x-kept': ['1', '2'],
    }
    await get('/x', sent)
    const { rawHeaders } = seen[0] ?? expect.unreachable('nobody came')
    const fields: Record<string, string[]> = {}
    for (let at = 0; at < rawHeaders.length; at += 2)
      fields[rawHeaders[at]?.toLowerCase() ?? ''] = [
        ...(fields[rawHeaders[at]?.toLowerCase() ?? ''] ?? []),
        rawHeaders[at + 1] ?? '',
      ]
    expect(fields).toEqual({
      host: [site.host],
      cookie: ['a=b; c=d'],
      authorization: ['Bearer mine'],
      'x-kept': ['1', '2'],
      'x-forwarded-for': ['127.0.0.1'],
      'x-forwarded-host': [site.host],
      'x-forwarded-proto': ['http'],
      forwarded: [`for=127.0.0.1;host="${site.host}";proto=http`],
      'cdn-loop': ['svc'],
      connection: ['keep-alive'],
    })
  })

  it.each(['Bearer svc_abc', `Basic ${btoa('x:svc_abc')}`])('no %s', async (authorization) => {
    await get('/x', { authorization })
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  it('nothing of what has been passed on too often', async () => {
    expect((await get('/x', { 'cdn-loop': 'svc, svc, svc, svc, svc' })).status).toBe(508)
    expect(seen).toEqual([])
  })
})

it('the answer has the headers of the site that it lacks, and no cookies for others', async () => {
  const { headers } = await get('/x')
  expect(headers).toMatchObject({ 'x-site': '1', 'x-both': 'server', 'set-cookie': ['a=1'] })
})

it('what no visitor gets is noted for the log of the server, once an answer', async () => {
  servers.problems.length = 0
  await get('/x')
  expect(servers.problems).toEqual(['platformCookie', 'wideCookie'])
})

describe('the server of', () => {
  it('production is another one than of previews, which search engines leave out', async () => {
    const { host, id } = await site.deploy({}, { hasServer: true })
    const reply = await sendRequest(edge.port, host, '/x')
    expect(reply).toMatchObject({ status: 200, headers: { 'x-robots-tag': 'noindex' } })
    expect((await get('/x')).headers['x-robots-tag']).toBeUndefined()
    const { teamId, projectId } = site
    expect(servers.wanted).toMatchObject([
      { target: 'preview', deploymentId: id, teamId, projectId, address: '127.0.0.1' },
      { target: 'production' },
    ])
  })

  it('production is started for an IPv6 network as for one visitor', async () => {
    const trusting = await startEdge({ servers, trustedProxies: ['127.0.0.1'] })
    await sendRequest(trusting.port, site.host, '/x', { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' })
    await sendRequest(trusting.port, site.host, '/x', { 'x-forwarded-for': '2001:db8:1:2::1' })
    await trusting.close()
    const addresses = servers.wanted.map(({ address }) => address)
    expect([addresses.length, new Set(addresses).size]).toEqual([2, 1])
  })

  it('a domain is that of production', async () => {
    const name = `www-${site.projectId.slice(-8)}.com`
    const node = { clock: edge.clock, installation: { store: edge.store } }
    await claim(node, { id: site.teamId }, name, { proven: true, project: site.projectId })
    await expect.poll(async () => (await sendRequest(edge.port, name, '/x')).status).toBe(200)
    expect(servers.wanted.at(-1)).toMatchObject({ target: 'production' })
    // Other authorities than the platform's may look for proofs of the domain's owner.
    const reply = await sendRequest(edge.port, name, '/.well-known/acme-challenge/x')
    expect(reply.text).toBe('GET /.well-known/acme-challenge/x ')
  })

  it('nothing but the site itself, so that one without it has none', async () => {
    const without = await newSite(edge)
    const { id } = await without.deploy({ 'index.html': 'home' })
    await without.promote(id)
    expect((await sendRequest(edge.port, without.host, '/x')).status).toBe(404)
    expect((await sendRequest(edge.port, without.host, '/', {}, 'POST')).status).toBe(405)
    expect(servers.wanted).toEqual([])
  })
})

describe('a protected site', () => {
  let closed: TestSite
  const key = 'Bearer svc_key'
  const basic = `Basic ${btoa('x:key')}`

  beforeAll(async () => {
    closed = await newSite(edge)
    const { id } = await closed.deploy({ 'a.txt': 'a file' }, { hasServer: true })
    await closed.promote(id)
    const bypassSha256 = hash('sha256', secret)
    await closed.configure({ protection: 'all', bypassSha256, bypassVersion: 1 })
    const { teamId } = closed
    for (const each of [key, basic]) edge.callers.set(each, callerOf(teamId))
  })

  const ask = (headers = {}, method = 'GET') => sendRequest(edge.port, closed.host, '/x', headers, method)

  it.each(['GET', 'POST', 'PUT', 'PROPFIND'])('wakes no server for a %s of a stranger', async (method) => {
    expect((await ask({}, method)).status).toBe(401)
    expect((await ask({}, 'OPTIONS')).status).toBe(405)
    expect(servers.wanted).toEqual([])
  })

  it.each(['GET', 'POST', 'OPTIONS'])('passes a %s on of whoever is let in', async (method) => {
    const reply = await ask({ 'x-svc-bypass': secret }, method)
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-cache' } })
    expect(seen[0]?.headers['x-svc-bypass']).toBeUndefined()
  })

  it.each([key, basic])('keeps what has let the visitor in: %s', async (authorization) => {
    expect((await ask({ authorization })).status).toBe(200)
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  it('passes on what hasn’t', async () => {
    await ask({ 'x-svc-bypass': secret, authorization: 'Bearer of the application' })
    expect(seen[0]?.headers.authorization).toBe('Bearer of the application')
  })
})
