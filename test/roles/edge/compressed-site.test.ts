/** Files that were compressed in advance, as visitors get them, over real sockets. */
import { hash, randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { exchange, sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite
const page = '<p>This is the page of a site.</p>\n'.repeat(50)
const lost = '<p>There is no such page here.</p>\n'.repeat(50)
// Compressed it has three quarters of its size, which is more than is kept in memory.
const large = randomBytes(750_000).toString('base64')
const files = {
  'index.html': page,
  '404.html': lost,
  'large.txt': large,
  'app.js.br': page,
  'noise.txt': randomBytes(9_000),
}

const get = (path: string, headers = {}, method = 'GET') =>
  sendRequest(edge.port, site.host, path, headers, method)

const decompress = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Buffer) => bytes,
}

beforeAll(async () => {
  edge = await startEdge()
  site = await newSite(edge)
  const { id } = await site.deploy(files)
  await site.promote(id)
  await site.markBlobs()
  await site.compress()
})

afterAll(() => edge.close())

describe.each(['br', 'gzip', 'identity'] as const)('in the form %s', (form) => {
  const accept = { 'accept-encoding': form }

  it.each([
    ['/', page, 200],
    ['/large.txt', large, 200],
    ['/nothing', lost, 404],
  ])('%s decodes to what was deployed', async (path, content, status) => {
    for (const _ of ['cold', 'warm']) {
      const reply = await get(path, accept)
      expect(reply.status).toBe(status)
      expect(reply.headers).toMatchObject({
        vary: 'Accept-Encoding',
        'content-length': String(reply.bytes().length),
      })
      expect(reply.headers['content-encoding']).toBe(form === 'identity' ? undefined : form)
      expect(decompress[form](reply.bytes()).toString()).toBe(content)
    }
  })

  it('is smaller than uncompressed', async () => {
    const length = (await get('/', accept)).bytes().length
    if (form === 'identity') expect(length).toBe(page.length)
    else expect(length).toBeLessThan(page.length / 10)
  })

  it('HEAD has the headers of GET', async () => {
    for (const path of ['/', '/large.txt', '/nothing']) {
      const [whole, head] = [await get(path, accept), await get(path, accept, 'HEAD')]
      expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
      expect(head.text).toBe('')
    }
  })

  it('304 for a client that has it', async () => {
    const { etag } = (await get('/', accept)).headers
    const digest = hash('sha256', page)
    expect(etag).toBe(form === 'identity' ? `"${digest}"` : `"${digest}-${form}"`)
    const again = await get('/', { ...accept, 'if-none-match': etag })
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag, vary: 'Accept-Encoding' } })
  })

  it('can be resumed', async () => {
    const whole = await get('/large.txt', accept)
    const rest = { range: 'bytes=500000-', 'if-range': whole.headers.etag }
    const part = await get('/large.txt', { ...accept, ...rest })
    expect(part.status).toBe(206)
    expect(part.headers['content-encoding']).toBe(whole.headers['content-encoding'])
    const both = Buffer.concat([whole.bytes().subarray(0, 500_000), part.bytes()])
    expect(decompress[form](both).toString()).toBe(large)
  })
})

it('a range without If-Range is of the uncompressed file', async () => {
  const reply = await get('/large.txt', { 'accept-encoding': 'gzip, br', range: 'bytes=100-199' })
  expect(reply).toMatchObject({ status: 206, text: large.slice(100, 200) })
})

it('a file that the site compressed itself is an ordinary file', async () => {
  const { headers, text } = await get('/app.js.br', { 'accept-encoding': 'br' })
  expect(text).toBe(page)
  expect(headers).not.toHaveProperty('content-encoding')
  expect(headers).not.toHaveProperty('vary')
})

it('a file that does not get smaller is sent uncompressed', async () => {
  const { headers, bytes } = await get('/noise.txt', { 'accept-encoding': 'br' })
  expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': '9000' })
  expect(bytes().equals(files['noise.txt'])).toBe(true)
})

it('a form is read once and then kept in memory', async () => {
  const read = vi.spyOn(edge.blobs, 'read')
  const other = await newSite(edge)
  const { host } = await other.deploy({ 'index.html': `${page}!` })
  await other.markBlobs()
  await other.compress()
  read.mockClear()
  for (const _ of [1, 2, 3]) await sendRequest(edge.port, host, '/', { 'accept-encoding': 'br' })
  expect(read).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})

it('an spa’s fallback page is compressed', async () => {
  const other = await newSite(edge)
  const { host } = await other.deploy({ 'index.html': page })
  await other.configure({ spa: true })
  await other.markBlobs()
  await other.compress()
  const { status, headers, bytes } = await sendRequest(edge.port, host, '/users/7', {
    'accept-encoding': 'br',
  })
  expect({ status, coding: headers['content-encoding'] }).toEqual({ status: 200, coding: 'br' })
  expect(brotliDecompressSync(bytes()).toString()).toBe(page)
})

it('a protected site is compressed and still private', async () => {
  const other = await newSite(edge)
  const { host } = await other.deploy({ 'index.html': page })
  await other.markBlobs()
  await other.compress()
  const secret = 'a secret that nobody guesses'
  await other.configure({ protection: 'all', bypassSha256: hash('sha256', secret) })
  const accept = { 'accept-encoding': 'br' }
  expect((await sendRequest(edge.port, host, '/', accept)).status).toBe(401)
  const { headers, bytes } = await sendRequest(edge.port, host, '/', { ...accept, 'x-svc-bypass': secret })
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
  })
  expect(brotliDecompressSync(bytes()).toString()).toBe(page)
})

describe('a form that is added later', () => {
  it('is sent soon, though the site was visited before', async () => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ 'index.html': `${page}?` })
    await other.markBlobs()
    const visit = () => sendRequest(edge.port, host, '/', { 'accept-encoding': 'br' })
    expect(await visit()).toMatchObject({ text: `${page}?`, headers: { vary: 'Accept-Encoding' } })
    await other.compress()
    await expect.poll(async () => (await visit()).headers['content-encoding'], { timeout: 5_000 }).toBe('br')
  })

  it('makes a cache that has the uncompressed file fetch it once', async () => {
    const plain = await get('/', {})
    const renewed = await get('/', { 'accept-encoding': 'br', 'if-none-match': plain.headers.etag })
    expect(renewed).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } })
    expect((await get('/', { 'if-none-match': plain.headers.etag })).status).toBe(304)
  })
})

describe('Accept-Encoding', () => {
  const send = async (...fields: string[]) => {
    const lines = ['GET / HTTP/1.1', `Host: ${site.host}`, ...fields, 'Connection: close', '', '']
    return /\r\nContent-Encoding: (\w+)/.exec(await exchange(edge.port, lines.join('\r\n')))?.[1]
  }

  it('is one list when it is repeated', async () => {
    expect(await send('Accept-Encoding: gzip', 'accept-encoding: br;q=0.5')).toBe('gzip')
    expect(await send('Accept-Encoding: gzip;q=0.1', 'ACCEPT-ENCODING: br')).toBe('br')
    expect(await send('Accept-Encoding: br', 'Accept-Encoding: br;q=0')).toBeUndefined()
  })

  it('may be long, or garbage', async () => {
    expect(await send(`Accept-Encoding: br, ${'x;q=0.5,'.repeat(1_000)}`)).toBe('br')
    expect(await send(`Accept-Encoding: ${';'.repeat(8_000)}`)).toBeUndefined()
    expect(await send('Accept-Encoding: \xff\xfe, br;q=1.0000000')).toBe('br')
  })
})
