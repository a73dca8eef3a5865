/** Sites as visitors see them, over real sockets. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { eventually } from '../../support/eventually.ts'
import { exchange, sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite
const large = randomBytes(3_000_001)
const files = {
  'index.html': '<h1>home</h1>',
  'about.html': '<h1>about</h1>',
  'docs/index.html': 'docs',
  'assets/app-1a2b3c4d.js': 'let a = 1',
  'empty.txt': '',
  'caf\u00e9 1.txt': 'coffee',
  'large.bin': large,
}

const get = (path: string, headers = {}, method = 'GET') =>
  sendRequest(edge.port, site.host, path, headers, method)

beforeAll(async () => {
  edge = await startEdge()
  site = await newSite(edge)
  const { id } = await site.deploy(files)
  await site.promote(id)
})

afterAll(() => edge.close())

describe('a file', () => {
  it('200 with its bytes, type, ETag and length', async () => {
    const { status, headers, text } = await get('/')
    expect({ status, text }).toEqual({ status: 200, text: '<h1>home</h1>' })
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '13',
      'cache-control': 'public, max-age=0, must-revalidate',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: `"${createHash('sha256').update('<h1>home</h1>').digest('hex')}"`,
    })
  })

  it('is the same from memory as from the store', async () => {
    const [cold, warm] = [await get('/docs/'), await get('/docs/')]
    expect(warm).toMatchObject({ status: 200, text: cold.text })
  })

  it('304 when the client has it', async () => {
    const { headers } = await get('/')
    const again = await get('/', { 'if-none-match': headers.etag })
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' })
    expect(again.headers).not.toHaveProperty('content-length')
  })

  it('HEAD has the headers of GET and no body', async () => {
    for (const path of ['/', '/large.bin', '/nothing']) {
      const [whole, head] = [await get(path), await get(path, {}, 'HEAD')]
      expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
      expect({ status: head.status, text: head.text }).toEqual({ status: whole.status, text: '' })
    }
  })

  it('HEAD reads nothing', async () => {
    const read = vi.spyOn(edge.blobs, 'read')
    const { host } = await site.deploy({ 'fresh.txt': 'never read before' })
    expect(await sendRequest(edge.port, host, '/fresh.txt', {}, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
    })
    expect(read).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('is read once for concurrent first requests', async () => {
    const read = vi.spyOn(edge.blobs, 'read')
    const { host } = await site.deploy({ 'popular.txt': 'requested by many' })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => sendRequest(edge.port, host, '/popular.txt')),
    )
    expect(replies.map(({ text }) => text)).toEqual(Array.from({ length: 10 }, () => 'requested by many'))
    expect(read).toHaveBeenCalledTimes(1)
    vi.restoreAllMocks()
  })

  it('may be empty', async () => {
    expect(await get('/empty.txt')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '0' },
    })
  })

  it('is found however its name is encoded', async () => {
    for (const path of ['/caf%C3%A9%201.txt', '/cafe%CC%81%201.txt', '/c%61f%c3%a9%201.txt']) {
      expect(await get(path)).toMatchObject({ status: 200, text: 'coffee' })
    }
  })

  it('308 to the URL of a page, keeping the query', async () => {
    expect(await get('/docs?a=1&b=%20')).toMatchObject({
      status: 308,
      headers: { location: '/docs/?a=1&b=%20' },
    })
    expect(await get('/about/')).toMatchObject({ status: 308, headers: { location: '/about' } })
    expect(await get('/about')).toMatchObject({ status: 200, text: '<h1>about</h1>' })
  })

  it('may be cached for a year when its name contains a hash', async () => {
    const { headers } = await get('/assets/app-1a2b3c4d.js')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })
})

describe('a large file', () => {
  it('200 with all of it', async () => {
    const { status, bytes } = await get('/large.bin')
    expect(status).toBe(200)
    expect(bytes().equals(large)).toBe(true)
  })

  it('206 with one part', async () => {
    const { status, headers, bytes } = await get('/large.bin', { range: 'bytes=1000000-2500000' })
    expect({ status, range: headers['content-range'] }).toEqual({
      status: 206,
      range: 'bytes 1000000-2500000/3000001',
    })
    expect(bytes().equals(large.subarray(1_000_000, 2_500_001))).toBe(true)
  })

  it.each(['/large.bin', '/about'])('206 with several parts of %s', async (path) => {
    const whole = (await get(path)).bytes()
    const { status, headers, bytes } = await get(path, { range: 'bytes=0-3,8-9,-2' })
    const boundary = headers['content-type']?.split('boundary=')[1]
    const parts = bytes().toString('latin1').split(`--${boundary}`)
    expect({ status, parts: parts.length, length: headers['content-length'] }).toEqual({
      status: 206,
      parts: 5,
      length: String(bytes().length),
    })
    const contents = parts.slice(1, 4).map((part) => part.slice(part.indexOf('\r\n\r\n') + 4, -2))
    const expected = [whole.subarray(0, 4), whole.subarray(8, 10), whole.subarray(-2)]
    expect(contents).toEqual(expected.map((bytes) => bytes.toString('latin1')))
    expect(parts[4]).toBe('--\r\n')
  })

  it('416 has its size', async () => {
    expect(await get('/large.bin', { range: 'bytes=3000001-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */3000001' },
    })
  })

  describe('whose client does not read', () => {
    const streams: Readable[] = []
    let bytesRead = 0
    let host: string
    let socket: Socket

    beforeAll(async () => {
      const open = edge.blobs.stream
      vi.spyOn(edge.blobs, 'stream').mockImplementation((object, range) => {
        const stream = open(object, range)
        const push = stream.push.bind(stream)
        stream.push = (chunk: Buffer | null) => {
          bytesRead += chunk?.length ?? 0
          return push(chunk)
        }
        streams.push(stream)
        return stream
      })
      const other = await newSite(edge)
      host = (await other.deploy({ 'huge.bin': Buffer.alloc(60_000_000), 'x.txt': 'x' })).host
      socket = connect(edge.port, '127.0.0.1')
      socket.write(`GET /huge.bin HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(3))
      await once(socket, 'readable')
      await new Promise((resolve) => setTimeout(resolve, 200))
    })

    afterAll(() => vi.restoreAllMocks())

    it('is read no further than the buffers reach', () => {
      expect(bytesRead).toBeGreaterThan(0)
      expect(bytesRead).toBeLessThan(30_000_000)
    })

    it('is opened once its turn has come', () => expect(streams).toHaveLength(1))

    it('delays no other client', async () => {
      expect(await sendRequest(edge.port, host, '/x.txt')).toMatchObject({ status: 200, text: 'x' })
    })

    it('is closed when the client disconnects, and nothing is logged', async () => {
      const lines = edge.logged.length
      socket.destroy()
      await eventually(() => expect(streams[0]?.closed).toBe(true))
      expect(streams).toHaveLength(1)
      expect(edge.logged).toHaveLength(lines)
    })
  })

  it('sequential requests on one connection each get their own response', async () => {
    const lines = ['/large.bin', '/about', '/large.bin', '/nothing'].map(
      (path) => `GET ${path} HTTP/1.1\r\nHost: ${site.host}\r\n`,
    )
    const text = await exchange(edge.port, `${lines.join('\r\n')}Connection: close\r\n\r\n`)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([200, 200, 200, 404].map((status) => `HTTP/1.1 ${status}`))
    expect(text.split(large.toString('latin1'))).toHaveLength(3)
  })
})

describe('404', () => {
  it('for an unknown host, without details', async () => {
    const unknown = await sendRequest(edge.port, 'nobody.localhost', '/')
    expect(unknown).toMatchObject({
      status: 404,
      headers: { 'cache-control': 'public, max-age=0, must-revalidate' },
    })
    for (const host of ['localhost', 'evil.com', '127.0.0.1', `a.${site.host}`]) {
      expect(await sendRequest(edge.port, host, '/')).toMatchObject({ status: 404, text: unknown.text })
    }
  })

  it('for a project without a deployment, and for a deployment that is not ready', async () => {
    const other = await newSite(edge)
    expect((await sendRequest(edge.port, other.host, '/')).status).toBe(404)
    const { host } = await other.deploy({ 'index.html': 'x' }, { state: 'building' })
    expect((await sendRequest(edge.port, host, '/')).status).toBe(404)
  })

  it('for a host whose project is gone', async () => {
    const other = await newSite(edge)
    await other.promote((await other.deploy({ 'index.html': 'x' })).id)
    expect((await sendRequest(edge.port, other.host, '/')).status).toBe(200)
    const label = other.host.split('.')[0] ?? ''
    await edge.store.transact(async (tx) => {
      await tx.update(hosts).set({ projectId: null }).where(eq(hosts.label, label))
      tx.announce({ kind: 'host', id: label })
    })
    expect((await sendRequest(edge.port, other.host, '/')).status).toBe(404)
  })

  it("with the deployment's own page", async () => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ '404.html': 'lost?' })
    const { status, text, headers } = await sendRequest(edge.port, host, '/nothing', { range: 'bytes=0-1' })
    expect({ status, text }).toEqual({ status: 404, text: 'lost?' })
    expect(headers).not.toHaveProperty('etag')
  })

  it('index.html instead for an spa, but not for its assets', async () => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ 'index.html': 'app' })
    await other.configure({ spa: true })
    expect(await sendRequest(edge.port, host, '/users/7')).toMatchObject({ status: 200, text: 'app' })
    expect((await sendRequest(edge.port, host, '/missing.js')).status).toBe(404)
  })
})

describe('the next request sees', () => {
  it('a promote', async () => {
    const other = await newSite(edge)
    const first = await other.deploy({ 'index.html': 'one' })
    const second = await other.deploy({ 'index.html': 'two' })
    for (const [deployment, text] of [
      [first, 'one'],
      [second, 'two'],
      [first, 'one'],
    ] as const) {
      await other.promote(deployment.id)
      expect(await sendRequest(edge.port, other.host, '/')).toMatchObject({ status: 200, text })
    }
    expect(await sendRequest(edge.port, second.host, '/')).toMatchObject({ status: 200, text: 'two' })
  })

  it('a deployment that has become ready', async () => {
    const other = await newSite(edge)
    const building = await other.deploy({}, { state: 'building' })
    const { id } = await other.deploy({ 'index.html': 'built' })
    expect((await sendRequest(edge.port, building.host, '/')).status).toBe(404)
    await edge.store.transact(async (tx) => {
      const [built] = await tx.select().from(deployments).where(eq(deployments.id, id))
      const ready = { state: 'ready', manifestId: built?.manifestId ?? null } as const
      await tx.update(deployments).set(ready).where(eq(deployments.id, building.id))
      tx.announce({ kind: 'deployment', id: building.id })
    })
    expect(await sendRequest(edge.port, building.host, '/')).toMatchObject({ status: 200, text: 'built' })
  })

  it('a host that was unknown before', async () => {
    const other = await newSite(edge)
    const { host, label, id } = await other.deploy({ 'index.html': 'new' })
    await edge.store.db.delete(hosts).where(eq(hosts.label, label))
    expect((await sendRequest(edge.port, host, '/')).status).toBe(404)
    await edge.store.db
      .insert(hosts)
      .values({ label, teamId: other.teamId, projectId: other.projectId, deploymentId: id })
    await other.configure({ spa: true })
    expect(await sendRequest(edge.port, host, '/')).toMatchObject({ status: 200, text: 'new' })
  })

  it('any change, after missed notifications', async () => {
    const other = await newSite(edge)
    const { id } = await other.deploy({ 'index.html': 'new' })
    expect((await sendRequest(edge.port, other.host, '/')).status).toBe(404)
    await edge.store.db
      .update(projects)
      .set({ productionDeploymentId: id })
      .where(eq(projects.id, other.projectId))
    edge.store.changes.publishMissed()
    expect((await sendRequest(edge.port, other.host, '/')).status).toBe(200)
  })
})

describe('when the store fails', () => {
  it.each(['small', 'large'])('5xx for a %s file whose blob is missing, without caching', async (kind) => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ 'small.txt': 'x', 'large.txt': Buffer.alloc(300_000) })
    await rm(join(edge.blobDirectory, 'teams', other.teamId), { recursive: true })
    const { status, headers, text } = await sendRequest(edge.port, host, `/${kind}.txt`)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(headers['cache-control']).toBe('no-store')
    expect(text).not.toMatch(/ENOENT|team_|\//)
    expect(edge.logged.at(-1)).toMatch(/The blob [0-9a-f]{64} is missing in the data directory. Deploy/)
  })

  it('503 with Retry-After while the database is unreachable', async () => {
    const away = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
    const db = new Proxy(edge.store.db, {
      get(target, name) {
        if (name === 'select') throw away
        return Reflect.get(target, name)
      },
    })
    const broken = await startEdge({ store: { ...edge.store, db } })
    const { status, headers } = await sendRequest(broken.port, site.host, '/')
    expect({ status, retry: headers['retry-after'], cache: headers['cache-control'] }).toEqual({
      status: 503,
      retry: '1',
      cache: 'no-store',
    })
    await broken.close()
  })

  it('a file shorter than its row says is never sent as if it were complete', async () => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ 'large.txt': Buffer.alloc(300_000), 'small.txt': 'small' })
    await edge.store.db
      .update(blobs)
      .set({ size: sql`${blobs.size} + 1` })
      .where(eq(blobs.teamId, other.teamId))
    expect((await sendRequest(edge.port, host, '/large.txt')).status).toBe(503)
    expect((await sendRequest(edge.port, host, '/small.txt')).status).toBe(500)
  })
})
