/** A site with `_redirects` and `_headers`, as visitors see it, over real sockets. */
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifests } from '../../../src/stores/db/schema/manifests.ts'
import { exchange, sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite
let host: string
const secret = 'secret-of-at-least-32-characters!'

const files = {
  'index.html': 'home',
  'about.html': 'about',
  '404.html': 'lost',
  'data/feed': '{}',
  'large.bin': Buffer.alloc(300_000),
  _redirects: [
    '/old/* /new/:splat 301',
    '/away/* https://example.com/:splat',
    '/about /index 307!',
    '/app/* /index.html 200',
    '/gone/* /404 404',
  ].join('\n'),
  _headers: [
    '/*',
    '  X-Frame-Options: DENY',
    '  Cache-Control: public, max-age=600',
    '/data/feed',
    '  Content-Type: application/feed+json',
    '  Access-Control-Allow-Origin: *',
  ].join('\n'),
}

const get = (path: string, headers = {}) => sendRequest(edge.port, host, path, headers)

beforeAll(async () => {
  edge = await startEdge()
  site = await newSite(edge)
  host = (await site.deploy(files)).host
})

afterAll(() => edge.close())

describe('a redirect', () => {
  it.each([
    ['/old/x/y?a=%20b', 301, '/new/x/y?a=%20b'],
    ['/away/caf%C3%A9', 302, 'https://example.com/caf%C3%A9'],
    ['/about', 307, '/index'],
  ])('%s: %s %s', async (path, status, location) => {
    const reply = await get(path)
    expect({ status: reply.status, location: reply.headers.location, text: reply.text }).toEqual({
      status,
      location,
      text: '',
    })
    expect(reply.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    expect(reply.headers).not.toHaveProperty('x-frame-options')
  })

  it.each(['/old//evil.example', '/old/%2fevil.example', '/away//evil.example', '/away/%2f%2fevil.example'])(
    'leads to no host that a path names: %s',
    async (path) => {
      const { status, headers } = await get(path)
      expect([301, 302]).toContain(status)
      const { host: led } = new URL(headers.location ?? '', 'http://own.example')
      expect(led).not.toContain('evil.example')
      expect(headers.location).not.toMatch(/^[/\\]{2}/)
    },
  )

  it('404 for a path that no rule matches', async () => {
    expect((await get('//evil.example')).status).toBe(404)
  })

  it.each(['/old/%0d%0aX-Evil:1', '/old/%00', '/old/..%2fx', '/old/%5cevil.example', '/old/\\evil'])(
    '400 for %s',
    async (path) => {
      const answer = await exchange(edge.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).not.toMatch(/location|x-evil/i)
    },
  )
})

it('a rewrite serves the other file, with conditions and ranges', async () => {
  const whole = await get('/app/users/7')
  expect(whole).toMatchObject({ status: 200, text: 'home', headers: { 'x-frame-options': 'DENY' } })
  expect((await get('/app/x', { 'if-none-match': whole.headers.etag })).status).toBe(304)
  expect(await get('/app/x', { range: 'bytes=1-2' })).toMatchObject({ status: 206, text: 'om' })
  expect(await get('/gone/x')).toMatchObject({ status: 404, text: 'lost' })
})

it('headers are on files, their parts, and the 404 page', async () => {
  expect((await get('/data/feed')).headers).toMatchObject({
    'content-type': 'application/feed+json',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=600',
    'x-content-type-options': 'nosniff',
  })
  const part = await get('/large.bin', { range: 'bytes=0-1' })
  expect(part).toMatchObject({ status: 206, headers: { 'x-frame-options': 'DENY' } })
  expect(await get('/nothing')).toMatchObject({
    status: 404,
    text: 'lost',
    headers: { 'x-frame-options': 'DENY', 'cache-control': 'public, max-age=0, must-revalidate' },
  })
})

it('the rule files are not served', async () => {
  for (const path of ['/_redirects', '/_headers'])
    expect(await get(path)).toMatchObject({ status: 404, text: 'lost' })
})

it('a manifest from before there were rules is served as it was, except for the rule files', async () => {
  const plain = await site.deploy({ 'index.html': 'home', _redirects: '/a /b', '_redirects.txt': 'x' })
  await edge.store.db.update(manifests).set({ rules: null }).where(eq(manifests.teamId, site.teamId))
  expect((await sendRequest(edge.port, plain.host, '/')).text).toBe('home')
  expect((await sendRequest(edge.port, plain.host, '/a')).status).toBe(404)
  expect((await sendRequest(edge.port, plain.host, '/_redirects')).status).toBe(404)
  expect((await sendRequest(edge.port, plain.host, '/_redirects.txt')).text).toBe('x')
})

describe('OPTIONS', () => {
  const preflight = {
    origin: 'https://other.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'content-type',
  }
  const options = (at: string, path: string) => sendRequest(edge.port, at, path, preflight, 'OPTIONS')

  it('of a path whose rules grant it to other origins is a preflight, by these rules', async () => {
    const { status, headers, text } = await options(host, '/data/feed')
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    })
    for (const name of ['x-frame-options', 'cache-control', 'content-type', 'content-length'])
      expect(headers).not.toHaveProperty(name)
  })

  it('has the methods, headers and age that the rules name, also where there is no file', async () => {
    const { host: api } = await site.deploy({
      'index.html': 'home',
      _headers: [
        '/api/*',
        '  Access-Control-Allow-Origin: https://app.example',
        '  access-control-allow-methods: GET',
        '  Access-Control-Allow-Headers: Content-Type',
        '  Access-Control-Max-Age: 600',
        '  Access-Control-Allow-Credentials: true',
      ].join('\n'),
    })
    const { status, headers } = await options(api, '/api/none.json')
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '600',
      'access-control-allow-credentials': 'true',
    })
    expect((await options(api, '/')).status).toBe(405)
  })

  it('of any other path is 405, as are other methods', async () => {
    expect((await options(host, '/')).status).toBe(405)
    expect((await sendRequest(edge.port, host, '/data/feed', preflight, 'POST')).status).toBe(405)
    expect((await sendRequest(edge.port, 'none.localhost', '/', preflight, 'OPTIONS')).status).toBe(405)
  })
})

describe('files that are compressed already', () => {
  const wasm = gzipSync('\0asm of a game')
  const svgz = gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>')
  let game: string

  beforeAll(async () => {
    game = (
      await site.deploy({
        'Build/game.wasm.gz': wasm,
        'logo.svgz': svgz,
        _headers: '/Build/*.wasm.gz\n  Content-Encoding: gzip\n  Content-Type: application/wasm',
      })
    ).host
  })

  it.each([
    ['/Build/game.wasm.gz', 'application/wasm', wasm],
    ['/logo.svgz', 'image/svg+xml; charset=utf-8', svgz],
  ])('%s is sent byte for byte, with its coding', async (path, type, bytes) => {
    for (const accepted of ['gzip, br', 'identity']) {
      const {
        status,
        headers,
        bytes: received,
      } = await sendRequest(edge.port, game, path, {
        'accept-encoding': accepted,
      })
      expect([status, received().equals(bytes)]).toEqual([200, true])
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': type,
        'content-length': String(bytes.length),
      })
    }
  })
})

describe('on a protected site', () => {
  let closed: string

  beforeAll(async () => {
    const other = await newSite(edge)
    closed = (await other.deploy(files)).host
    await other.configure({ protection: 'all', bypassSha256: hash('sha256', secret), bypassVersion: 1 })
  })

  it('401 before any rule, with the server’s own page', async () => {
    const refused = await sendRequest(edge.port, closed, '/')
    for (const path of ['/', '/old/x', '/away/x', '/app/x', '/gone/x', '/_redirects']) {
      const { status, headers } = await sendRequest(edge.port, closed, path)
      expect({ status, ...headers, date: '' }).toEqual({ status: 401, ...refused.headers, date: '' })
    }
  })

  it('405 for a preflight, which has no credentials', async () => {
    const { status, headers } = await sendRequest(edge.port, closed, '/data/feed', {}, 'OPTIONS')
    expect(status).toBe(405)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('responses stay private, whatever the rules say', async () => {
    for (const path of ['/', '/data/feed', '/large.bin', '/app/x', '/nothing', '/old/x', '/away/x']) {
      const { headers } = await sendRequest(edge.port, closed, path, { 'x-svc-bypass': secret })
      expect(headers['cache-control']).toBe('private, no-store')
    }
  })

  it('the secret in the query redirects to the URL without it, and to no other host', async () => {
    const entered = await sendRequest(edge.port, closed, `/away/x?x-svc-bypass=${secret}&a=1`)
    expect(entered).toMatchObject({ status: 303, headers: { location: '/away/x?a=1' } })
    const both = await sendRequest(edge.port, closed, `/away/x?x-svc-bypass=${secret}&a=1`, {
      'x-svc-bypass': secret,
    })
    expect(both).toMatchObject({ status: 302, headers: { location: 'https://example.com/x?a=1' } })
  })
})
