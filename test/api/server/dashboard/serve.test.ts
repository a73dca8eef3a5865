/** The dashboard as every API node serves it, on the API's own origin. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockDataDirectory } from '../../../../src/stores/data-dir/lock.ts'
import { chunk, exportedFiles, finishExport, inlineScript, newPlace } from '../../../support/dashboard.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'

const rate = 30

let place: Awaited<ReturnType<typeof newPlace>>
let node: TestNode

beforeAll(async () => {
  place = await newPlace()
  await finishExport(place, exportedFiles('one'))
  const settings = { SVC_DASHBOARD: 'on', SVC_RATE_ANONYMOUS: `1/${rate}` }
  node = await startTestNode(settings, { dashboard: place })
})

afterAll(async () => {
  await node.stop()
  await rm(place.root, { recursive: true })
})

type Got = {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
}

/** Without the headers that `fetch` adds, and the path as it is. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(node.apiUrl)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (bytes) => chunks.push(bytes))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { statusCode = 0, headers: received } = response
        resolve({ status: statusCode, headers: received, bytes, text: bytes.toString() })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const titleOf = ({ text }: Got) => /<title>(.*?)<\/title>/.exec(text)?.[1]

describe('the cookie of a session', () => {
  const cookie = 'a=1; svc.session_token=abc.d%2Be%3D; b=2'

  it.each(['/', '/acme'])('is kept for another 14 days by %s', async (path) => {
    const { headers } = await get(path, { cookie })
    expect(headers).toMatchObject({
      'set-cookie': ['svc.session_token=abc.d%2Be%3D; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax'],
      'cache-control': 'private, no-cache',
    })
    const again = await get(path, { cookie, 'if-none-match': String(headers.etag) })
    expect(again.status).toBe(304)
    expect(again.headers['set-cookie']).toEqual(headers['set-cookie'])
  })

  it.each([
    ['none of a request without it', '/', 'a=1'],
    ['none of two that differ', '/', 'svc.session_token=a; svc.session_token=b'],
    ['none of what a page fetches', '/acme/web.txt?_rsc=1', cookie],
    ['none beside what every cache may keep', '/_next/static/one.js', cookie],
  ])('is %s', async (_what, path, sent) => {
    const { status, headers } = await get(path, { cookie: sent })
    expect({ status, cookies: headers['set-cookie'] }).toEqual({ status: 200, cookies: undefined })
    expect(headers['cache-control']).not.toContain('private')
  })

  it('is not touched in the background, where somebody else may have signed in since', async () => {
    for (const destination of ['empty', 'iframe', 'image']) {
      const { headers } = await get('/acme', { cookie, 'sec-fetch-dest': destination })
      expect(headers['set-cookie']).toBeUndefined()
    }
    expect((await get('/acme', { cookie, 'sec-fetch-dest': 'document' })).headers['set-cookie']).toHaveLength(
      1,
    )
  })
})

describe('a path', () => {
  it.each([
    ['/', 'svc'],
    ['/acme', 'team'],
    ['/acme?tab=1', 'team'],
    ['/acme/web', 'project'],
    ['/acme/web/deployments/dpl_1', 'deployment'],
    ['/acme/~/domains/example.com', 'domain'],
  ])('%s is the page %s', async (path, title) => {
    const page = await get(path)
    expect({ status: page.status, title: titleOf(page) }).toEqual({ status: 200, title })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('of a payload is plain text', async () => {
    const { status, headers, text } = await get('/acme/web.txt?_rsc=1')
    expect({ status, text }).toEqual({ status: 200, text: 'payload of project' })
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('with a slash at its end is redirected, with its query', async () => {
    const { status, headers } = await get('/acme/web/?tab=1')
    expect({ status, location: headers.location }).toEqual({ status: 308, location: '/acme/web?tab=1' })
  })

  it.each(['//evil.test/', '/\\evil.test/', '//evil.test', '/%2F/evil.test/..'])(
    '%s is redirected nowhere else',
    async (path) => {
      const { headers } = await get(path)
      expect(headers.location).toBeUndefined()
    },
  )

  it.each([
    '/../package.json',
    '/_/../../package.json',
    '/acme/..%2f..%2fpackage.json',
    '/objects',
    '/manifest.json/',
  ])('%s leads to no other file', async (path) => {
    const { text } = await get(path)
    expect(text).not.toMatch(/"(name|files|builtFrom)":/)
  })
})

describe('an unknown path', () => {
  it('is the page for it in a browser, with status 404', async () => {
    const page = await get('/acme/web/nothing', { accept: 'text/html,*/*;q=0.8' })
    expect({ status: page.status, title: titleOf(page) }).toEqual({ status: 404, title: 'Not found' })
  })

  it.each(['/auth/', '/auth/nothing', '/_not-found', '/index', '/_', '/_/_', '/~', '/_/~/logs.html'])(
    '%s is that page, too',
    async (path) => {
      const page = await get(path, { accept: 'text/html' })
      expect({ status: page.status, title: titleOf(page) }).toEqual({ status: 404, title: 'Not found' })
    },
  )

  it.each(['/acme/web/nothing', '/auth/nothing'])(
    '%s is an error with its reason for programs',
    async (path) => {
      const { status, text } = await get(path, { accept: '*/*' })
      expect({ status, reason: JSON.parse(text).reason }).toEqual({ status: 404, reason: 'unknown_path' })
    },
  )

  it.each([
    ['GET', '/v1/nothing', 404],
    ['GET', '/trpc', 404],
    ['POST', '/auth/nothing', 404],
    ['GET', '/uploads', 404],
    ['GET', '/healthz/deeper', 404],
    ['GET', '/openapi.json/deeper', 404],
    ['GET', '/auth/sign-out/form', 405],
    ['POST', '/acme/web', 404],
    ['DELETE', '/', 405],
  ])('%s %s, which is the API’s, is no page', async (method, path, expected) => {
    const { status, headers, text } = await get(path, { accept: 'text/html' }, method)
    expect(status).toBe(expected)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(text).reason).toBe(expected === 404 ? 'unknown_path' : 'method_not_allowed')
  })
})

describe('a file', () => {
  it('is compressed as the client prefers', async () => {
    const path = '/_next/static/one.js'
    const plain = await get(path)
    const br = await get(path, { 'accept-encoding': 'gzip, br' })
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect([
      plain.text,
      brotliDecompressSync(br.bytes).toString(),
      gunzipSync(gzip.bytes).toString(),
    ]).toEqual([chunk, chunk, chunk])
    expect([br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip'])
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
    expect(plain.headers.vary).toContain('accept-encoding')
  })

  it('with a digest in its name is kept for ever, any other is revalidated', async () => {
    expect((await get('/_next/static/one.js')).headers['cache-control']).toMatch(
      /max-age=31536000, immutable/,
    )
    for (const path of ['/', '/acme', '/theme.js', '/acme.txt?_rsc=1'])
      expect((await get(path)).headers['cache-control']).toBe('no-cache')
  })

  it.each(['/', '/acme/web', '/_next/static/one.js'])(
    '%s is not sent again to a client that has it',
    async (path) => {
      const { etag } = (await get(path)).headers
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
      const again = await get(path, { 'if-none-match': String(etag) })
      expect({ status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
        status: 304,
        text: '',
        etag,
      })
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    },
  )

  it.each([{}, { 'accept-encoding': 'br' }])('HEAD has the headers of GET: %o', async (accept) => {
    const headersOf = async (method: string) => {
      const {
        'x-request-id': _id,
        date: _date,
        ...headers
      } = (await get('/_next/static/one.js', accept, method)).headers
      return headers
    }
    expect(await headersOf('HEAD')).toEqual(await headersOf('GET'))
    expect((await get('/acme', {}, 'HEAD')).bytes).toHaveLength(0)
  })

  it('draws from no rate limit, while an unknown one draws from the address’s', async () => {
    const pages = await Promise.all(Array.from({ length: 3 * rate }, () => get('/acme/web')))
    expect(pages.filter(({ status, headers }) => status !== 200 || 'ratelimit' in headers)).toEqual([])
    const unknown = await Promise.all(Array.from({ length: 2 * rate }, () => get('/acme/web/nothing')))
    expect(unknown.some(({ status }) => status === 429)).toBe(true)
    expect((await get('/acme')).status).toBe(200)
  })
})

it('a page runs its own inline scripts and those of its origin, and stands in no frame', async () => {
  const { headers } = await get('/acme')
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  const digest = createHash('sha256').update(inlineScript).digest('base64')
  expect(policy.get('script-src')).toEqual(["'self'", `'sha256-${digest}'`])
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('frame-ancestors')).toEqual(["'none'"])
  expect([...policy.values()].flat().join(' ')).not.toMatch(/unsafe|https?:|\*/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('same-origin')
})

describe('a new build', () => {
  it('is served by a running node, which keeps the chunks of the one before for open tabs', async () => {
    await finishExport(place, exportedFiles('two'))
    await expect.poll(async () => (await get('/acme')).text, { timeout: 5_000 }).toContain('<p>two')
    expect((await get('/_next/static/two.js')).status).toBe(200)
    expect((await get('/_next/static/one.js')).text).toBe(chunk)
    await finishExport(place, exportedFiles('three'))
    await expect.poll(async () => (await get('/_next/static/one.js')).status, { timeout: 5_000 }).toBe(404)
    expect((await get('/_next/static/two.js')).status).toBe(200)
  })
})

describe('a node without the files', () => {
  let empty: Awaited<ReturnType<typeof newPlace>>
  let without: TestNode

  beforeAll(async () => {
    empty = await newPlace()
    without = await startTestNode({ SVC_DASHBOARD: 'on' }, { dashboard: empty })
  })

  afterAll(async () => {
    await without.stop()
    await rm(empty.root, { recursive: true })
  })

  it('says so at /, while they are built says that and looks again, and then serves them', async () => {
    const home = () => fetch(`${without.apiUrl}/`)
    const missing = await home()
    expect(await missing.text()).toContain('not installed')
    expect(missing.headers.get('refresh')).toBeNull()
    const lock = await lockDataDirectory(empty.building)
    const building = await home()
    expect(await building.text()).toContain('being built')
    expect(building.headers.get('refresh')).toBe('5')
    await finishExport(empty, exportedFiles('one'))
    await lock.release()
    await expect.poll(async () => (await home()).text(), { timeout: 5_000 }).toContain('<p>one')
  })
})

it('a node where it is switched off says so, and has no pages', async () => {
  const off = await startTestNode({ SVC_DASHBOARD: 'off' }, { dashboard: place })
  expect(await (await fetch(`${off.apiUrl}/`)).text()).toContain('switched off')
  expect((await fetch(`${off.apiUrl}/acme`)).status).toBe(404)
  await off.stop()
})
