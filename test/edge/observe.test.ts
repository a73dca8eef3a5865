/** What those are told who count or log the answers of the edge. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServedRequest, ServedResponse } from '../../src/observability/served.ts'
import { claim } from '../support/claims.ts'
import { ask, exchange } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

const told: (ServedResponse & ServedRequest)[] = []

let edge: Edge
let site: TestSite
let deploymentId: string
const large = randomBytes(8 * 1024 * 1024)

beforeAll(async () => {
  edge = await startEdge({
    observe: (answered, asked) => told.push({ ...answered, ...asked() }),
    trustedProxies: ['loopback'],
  })
  site = await newSite(edge)
  const { id } = await site.deploy({
    'index.html': 'hello',
    'ünder way.txt': 'found',
    'large.bin': large,
    _redirects: '/old /new 301',
  })
  deploymentId = id
  await site.promote(id)
})

afterAll(() => edge.close())

beforeEach(() => {
  told.length = 0
})

/** The one answer that was told of, once it was. */
async function observed(): Promise<ServedResponse & ServedRequest> {
  await vi.waitFor(() => expect(told).toHaveLength(1))
  const [answered] = told
  if (!answered) throw new Error('Nothing was told.')
  return answered
}

it('tells whose an answer is, to what, how it was and how long it took', async () => {
  const startMs = Date.now()
  await ask(edge.port, site.host, '/?secret=1', { 'x-forwarded-for': '198.51.100.7' })
  const answered = await observed()
  expect(answered).toEqual({
    teamId: site.teamId,
    projectId: site.projectId,
    deploymentId,
    host: site.host.replace('.localhost', ''),
    method: 'GET',
    path: '/',
    status: 200,
    bytes: 5,
    durationMs: expect.any(Number),
    cache: 'blob',
    address: '198.51.100.7',
    endedMs: expect.any(Number),
  })
  expect(answered.endedMs).toBeGreaterThanOrEqual(startMs)
  expect(answered.endedMs).toBeLessThanOrEqual(Date.now())
  expect(answered.durationMs).toBeGreaterThan(0)
  expect(answered.durationMs).toBeLessThan(10_000)
})

it('tells that bytes came from memory, once they were loaded', async () => {
  await ask(edge.port, site.host, '/')
  told.length = 0
  await ask(edge.port, site.host, '/')
  expect(await observed()).toMatchObject({ cache: 'memory', bytes: 5, address: '127.0.0.1' })
})

it('tells a path as it is read', async () => {
  await ask(edge.port, site.host, '/%C3%BCnder%20way.txt?a=b')
  expect(await observed()).toMatchObject({ status: 200, path: '/ünder way.txt' })
})

describe('of every answer for a project', () => {
  it.each([
    ['a page that is missing', 'GET', '/missing', 404, 11],
    ['a rule', 'GET', '/old', 301, 0],
    ['HEAD', 'HEAD', '/', 200, 0],
    ['HEAD of what is missing', 'HEAD', '/missing', 404, 0],
    ['another method', 'POST', '/', 405, 36],
  ])('%s', async (_what, method, path, status, bytes) => {
    await ask(edge.port, site.host, path, {}, method)
    expect(await observed()).toMatchObject({ method, path, status, bytes, cache: 'none' })
  })

  it('304', async () => {
    const { headers } = await ask(edge.port, site.host, '/')
    told.length = 0
    await ask(edge.port, site.host, '/', { 'if-none-match': headers.etag })
    expect(await observed()).toMatchObject({ status: 304, bytes: 0, cache: 'none' })
  })

  it('a part', async () => {
    await ask(edge.port, site.host, '/large.bin', { range: 'bytes=10-19' })
    expect(await observed()).toMatchObject({ status: 206, bytes: 10, cache: 'blob' })
  })

  it('several parts, with what stands between them', async () => {
    const { headers } = await ask(edge.port, site.host, '/large.bin', { range: 'bytes=0-9,20-29' })
    expect(await observed()).toMatchObject({ status: 206, bytes: Number(headers['content-length']) })
  })

  it('401, and nothing deployed yet', async () => {
    const other = await newSite(edge)
    const { projectId } = other
    await ask(edge.port, other.host, '/')
    expect(await observed()).toMatchObject({ projectId, status: 404, deploymentId: null })
    told.length = 0
    const { id } = await other.deploy({ 'index.html': 'hidden' })
    await other.promote(id)
    await other.configure({ protection: 'all' })
    await ask(edge.port, other.host, '/')
    expect(await observed()).toMatchObject({ projectId, status: 401, deploymentId: id })
  })

  it('500, when its bytes are gone', async () => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ 'index.html': randomBytes(8) })
    const read = vi.spyOn(edge.blobs, 'read').mockRejectedValueOnce(new Error('The disk is broken.'))
    await ask(edge.port, host, '/')
    read.mockRestore()
    expect(await observed()).toMatchObject({ projectId: other.projectId, status: 500, cache: 'none' })
  })

  it('a domain that leads elsewhere, where it has a project', async () => {
    const node = { clock: edge.clock, installation: { store: edge.store } }
    const name = () => `old-${randomBytes(4).toString('hex')}.com`
    const redirect = { to: 'example.com', status: 308 }
    const [alone, attached] = [name(), name()]
    await claim(node, { id: site.teamId }, alone, { proven: true, redirect })
    await claim(node, { id: site.teamId }, attached, { proven: true, redirect, project: site.projectId })
    expect((await ask(edge.port, alone, '/a')).status).toBe(308)
    expect((await ask(edge.port, attached, '/a')).status).toBe(308)
    expect(await observed()).toMatchObject({ projectId: site.projectId, host: attached, status: 308 })
  })
})

describe('of nothing else', () => {
  it.each([
    ['a host that nobody has', () => ask(edge.port, 'nobody.localhost', '/')],
    ['another method there', () => ask(edge.port, 'nobody.localhost', '/', {}, 'POST')],
    ['what is no request to a site', () => ask(edge.port, site.host, '/%00')],
    ['what is no request at all', () => exchange(edge.port, 'nonsense\r\n\r\n')],
  ])('%s', async (_what, send) => {
    await send()
    await ask(edge.port, site.host, '/')
    expect(await observed()).toMatchObject({ status: 200 })
  })
})

describe('a large file', () => {
  it('is told of when all of it was sent', async () => {
    await ask(edge.port, site.host, '/large.bin')
    expect(await observed()).toMatchObject({ status: 200, bytes: large.length })
  })

  it('that is broken off is told of with what was handed over', async () => {
    const headers = { host: site.host }
    const sent = request({ port: edge.port, host: '127.0.0.1', path: '/large.bin', agent: false, headers })
    sent.end()
    const [reply] = await once(sent, 'response')
    await once(reply, 'readable')
    expect(told).toEqual([])
    sent.destroy()
    const { bytes, address } = await observed()
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(large.length)
    expect(address).toBe('127.0.0.1')
  })
})

it('tells of each of several requests that came at once, in order', async () => {
  const line = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${site.host}\r\n${more}\r\n`
  await exchange(edge.port, line('/') + line('/missing') + line('/', 'Connection: close\r\n'))
  await vi.waitFor(() => expect(told).toHaveLength(3))
  expect(told.map(({ status }) => status)).toEqual([200, 404, 200])
})
