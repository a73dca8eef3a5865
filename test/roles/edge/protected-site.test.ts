/** Access to a protected deployment, over real sockets. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { callerOf } from './caller.ts'
import { sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite
let preview: string
const secret = 'secret-of-at-least-32-characters!'
const files = { 'index.html': 'inside', 'docs/index.html': 'docs', 'large.bin': Buffer.alloc(300_000) }

beforeAll(async () => {
  edge = await startEdge()
  site = await newSite(edge)
  const { host, id } = await site.deploy(files)
  preview = host
  await site.promote(id)
  await site.configure({ protection: 'all', bypassSha256: hash('sha256', secret), bypassVersion: 1 })
})

afterAll(() => edge.close())

const enter = async (host: string, path = '/') => {
  const { headers } = await sendRequest(edge.port, host, `${path}?x-svc-bypass=${encodeURIComponent(secret)}`)
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

describe('401', () => {
  it('says how to authenticate, the same whether the path exists or not', async () => {
    const refused = await sendRequest(edge.port, site.host, '/')
    expect(refused).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer', 'cache-control': 'private, no-store' },
    })
    expect(refused.text).toContain('x-svc-bypass')
    for (const path of ['/nothing', '/docs', '//docs', '/large.bin']) {
      const other = await sendRequest(edge.port, site.host, path, {
        range: 'bytes=0-1',
        'if-none-match': '*',
      })
      expect({ ...other.headers, date: '' }).toEqual({ ...refused.headers, date: '' })
      expect({ status: other.status, text: other.text }).toEqual({ status: 401, text: refused.text })
    }
  })

  it.each([
    ['a wrong secret in the header', '/', { 'x-svc-bypass': 'wrong' }],
    ['a wrong secret in the query', '/?x-svc-bypass=wrong', {}],
    ['a made-up cookie', '/', { cookie: `svc_bypass=1.9999999999999.${'A'.repeat(43)}` }],
    ['the secret as a cookie', '/', { cookie: `svc_bypass=${secret}` }],
    ['unknown credentials', '/', { authorization: 'Bearer unknown' }],
  ])('for %s', async (_, path, headers) => {
    expect((await sendRequest(edge.port, site.host, path, headers)).status).toBe(401)
  })

  it("for another team's credentials", async () => {
    edge.callers.set('Bearer other', callerOf('team_other'))
    expect((await sendRequest(edge.port, site.host, '/', { authorization: 'Bearer other' })).status).toBe(401)
  })
})

describe('grants access', () => {
  it("for the team's own credentials", async () => {
    edge.callers.set('Bearer own', callerOf(site.teamId))
    const { status, text, headers } = await sendRequest(edge.port, site.host, '/', {
      authorization: 'Bearer own',
    })
    expect({ status, text, cache: headers['cache-control'] }).toEqual({
      status: 200,
      text: 'inside',
      cache: 'private, no-store',
    })
  })

  it('for the secret in the header, with private responses', async () => {
    const cases: [string, Record<string, string>, number][] = [
      ['/', {}, 200],
      ['/large.bin', {}, 200],
      ['/large.bin', { range: 'bytes=0-1' }, 206],
      ['/large.bin', { range: 'bytes=0-1,5-6' }, 206],
      ['/large.bin', { range: 'bytes=300000-' }, 416],
      ['/', { 'if-none-match': '*' }, 304],
      ['/docs', {}, 308],
      ['/nothing', {}, 404],
    ]
    for (const [path, headers, status] of cases) {
      const reply = await sendRequest(edge.port, site.host, path, { ...headers, 'x-svc-bypass': secret })
      expect({ path, status: reply.status, cache: reply.headers['cache-control'] }).toEqual({
        path,
        status,
        cache: 'private, no-store',
      })
    }
  })

  it('for the secret in the query, after a redirect to the URL without it', async () => {
    const { status, headers, text } = await sendRequest(
      edge.port,
      site.host,
      `/docs/?a=1&x-svc-bypass=${secret}&b=2`,
    )
    expect({ status, text }).toEqual({ status: 303, text: '' })
    expect(headers).toMatchObject({
      location: '/docs/?a=1&b=2',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(JSON.stringify(headers)).not.toContain(secret)
    const cookie = headers['set-cookie']?.[0]?.split(';')[0]
    expect(await sendRequest(edge.port, site.host, '/docs/?a=1&b=2', { cookie })).toMatchObject({
      status: 200,
      text: 'docs',
    })
  })

  it('never redirects to another host', async () => {
    for (const path of ['//evil.com/x', '///evil.com', '/%2fevil.com', '/%2f%2fevil.com']) {
      const { status, headers } = await sendRequest(edge.port, site.host, `${path}?x-svc-bypass=${secret}`)
      expect(status).toBe(303)
      expect(headers.location).toMatch(/^\/(?:%2F)*evil\.com/)
      expect(new URL(headers.location ?? '', 'http://own.example').host).toBe('own.example')
    }
    expect((await sendRequest(edge.port, site.host, `/\\evil.com?x-svc-bypass=${secret}`)).status).toBe(400)
    expect((await sendRequest(edge.port, site.host, `/%5cevil.com?x-svc-bypass=${secret}`)).status).toBe(400)
  })
})

describe('a cookie', () => {
  it('grants access to this host only', async () => {
    const cookie = await enter(site.host)
    expect((await sendRequest(edge.port, site.host, '/', { cookie })).status).toBe(200)
    expect((await sendRequest(edge.port, preview, '/', { cookie })).status).toBe(401)
  })

  it('expires after a day', async () => {
    const cookie = await enter(site.host)
    edge.clock.aheadMs = 86_400_000 - 60_000
    expect((await sendRequest(edge.port, site.host, '/', { cookie })).status).toBe(200)
    edge.clock.aheadMs = 86_400_000
    expect((await sendRequest(edge.port, site.host, '/', { cookie })).status).toBe(401)
    edge.clock.aheadMs = 0
  })

  it('ends with the secret that it was issued for', async () => {
    const cookie = await enter(site.host)
    await site.configure({ bypassVersion: 2 })
    expect((await sendRequest(edge.port, site.host, '/', { cookie })).status).toBe(401)
    const next = await enter(site.host)
    await site.configure({ bypassSha256: null, bypassVersion: 3 })
    expect((await sendRequest(edge.port, site.host, '/', { cookie: next })).status).toBe(401)
    await site.configure({ bypassSha256: hash('sha256', secret), bypassVersion: 4 })
  })

  it('is Secure where sites use TLS', async () => {
    const secure = await startEdge({ sitesUrl: 'https://svc.site' })
    const host = site.host.replace('localhost', 'svc.site')
    const { headers } = await sendRequest(secure.port, host, `/?x-svc-bypass=${secret}`)
    expect(headers['set-cookie']?.[0]).toMatch(/; Secure$/)
    await secure.close()
  })
})

it('protected previews leave the production host open', async () => {
  const other = await newSite(edge)
  const { host, id } = await other.deploy(files)
  await other.promote(id)
  await other.configure({ protection: 'preview' })
  expect(await sendRequest(edge.port, other.host, '/')).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'public, max-age=0, must-revalidate' },
  })
  expect((await sendRequest(edge.port, host, '/')).status).toBe(401)
  await other.configure({ protection: 'none' })
  expect((await sendRequest(edge.port, host, '/')).status).toBe(200)
})

it('503 rather than 401 while credentials cannot be checked', async () => {
  edge.callers.set('Bearer away', new AppError('store_unavailable', 'The database is away.'))
  const { status, headers } = await sendRequest(edge.port, site.host, '/', { authorization: 'Bearer away' })
  expect({ status, retry: headers['retry-after'], cache: headers['cache-control'] }).toEqual({
    status: 503,
    retry: '1',
    cache: 'no-store',
  })
})

it('no log contains the secret', () => {
  expect(edge.logged.join('\n')).not.toContain(secret)
})
