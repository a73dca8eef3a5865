/** The reports of an edge's responses, for counting and logging. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServedRequest, ServedResponse } from '../../../src/platform/observability/response-observer.ts'
import { claim } from '../../support/claims.ts'
import { eventually } from '../../support/eventually.ts'
import { exchange, sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

const reports: (ServedResponse & ServedRequest)[] = []

let edge: Edge
let site: TestSite
let deploymentId: string
const large = randomBytes(8 * 1024 * 1024)

beforeAll(async () => {
  edge = await startEdge({
    observe: (answered, requestOf) => reports.push({ ...answered, ...requestOf() }),
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
  reports.length = 0
})

/** Waits for the one report of a response. */
async function observed(): Promise<ServedResponse & ServedRequest> {
  await eventually(() => expect(reports).toHaveLength(1))
  const [answered] = reports
  if (!answered) throw new Error('Nothing was reported.')
  return answered
}

it('reports a response’s site, request, status and duration', async () => {
  const startMs = Date.now()
  await sendRequest(edge.port, site.host, '/?secret=1', { 'x-forwarded-for': '198.51.100.7' })
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

it('reports that bytes came from memory, once they were loaded', async () => {
  await sendRequest(edge.port, site.host, '/')
  reports.length = 0
  await sendRequest(edge.port, site.host, '/')
  expect(await observed()).toMatchObject({ cache: 'memory', bytes: 5, address: '127.0.0.1' })
})

it('reports a path as decoded', async () => {
  await sendRequest(edge.port, site.host, '/%C3%BCnder%20way.txt?a=b')
  expect(await observed()).toMatchObject({ status: 200, path: '/ünder way.txt' })
})

describe('reports every response for a project', () => {
  it.each([
    ['a missing page', 'GET', '/missing', 404, 11],
    ['a rule', 'GET', '/old', 301, 0],
    ['HEAD', 'HEAD', '/', 200, 0],
    ['HEAD of a missing page', 'HEAD', '/missing', 404, 0],
    ['another method', 'POST', '/', 405, 36],
  ])('%s', async (_what, method, path, status, bytes) => {
    await sendRequest(edge.port, site.host, path, {}, method)
    expect(await observed()).toMatchObject({ method, path, status, bytes, cache: 'none' })
  })

  it('304', async () => {
    const { headers } = await sendRequest(edge.port, site.host, '/')
    reports.length = 0
    await sendRequest(edge.port, site.host, '/', { 'if-none-match': headers.etag })
    expect(await observed()).toMatchObject({ status: 304, bytes: 0, cache: 'none' })
  })

  it('a part', async () => {
    await sendRequest(edge.port, site.host, '/large.bin', { range: 'bytes=10-19' })
    expect(await observed()).toMatchObject({ status: 206, bytes: 10, cache: 'blob' })
  })

  it('several parts, with their boundaries', async () => {
    const { headers } = await sendRequest(edge.port, site.host, '/large.bin', { range: 'bytes=0-9,20-29' })
    expect(await observed()).toMatchObject({ status: 206, bytes: Number(headers['content-length']) })
  })

  it('401, and nothing deployed yet', async () => {
    const other = await newSite(edge)
    const { projectId } = other
    await sendRequest(edge.port, other.host, '/')
    expect(await observed()).toMatchObject({ projectId, status: 404, deploymentId: null })
    reports.length = 0
    const { id } = await other.deploy({ 'index.html': 'hidden' })
    await other.promote(id)
    await other.configure({ protection: 'all' })
    await sendRequest(edge.port, other.host, '/')
    expect(await observed()).toMatchObject({ projectId, status: 401, deploymentId: id })
  })

  it('500, when its blob is missing', async () => {
    const other = await newSite(edge)
    const { host } = await other.deploy({ 'index.html': randomBytes(8) })
    const read = vi.spyOn(edge.blobs, 'read').mockRejectedValueOnce(new Error('The disk is broken.'))
    await sendRequest(edge.port, host, '/')
    read.mockRestore()
    expect(await observed()).toMatchObject({ projectId: other.projectId, status: 500, cache: 'none' })
  })

  it('a redirect domain, if it has a project', async () => {
    const node = { clock: edge.clock, installation: { store: edge.store } }
    const name = () => `old-${randomBytes(4).toString('hex')}.com`
    const redirect = { to: 'example.com', status: 308 }
    const [alone, attached] = [name(), name()]
    await claim(node, { id: site.teamId }, alone, { proven: true, redirect })
    await claim(node, { id: site.teamId }, attached, { proven: true, redirect, project: site.projectId })
    expect((await sendRequest(edge.port, alone, '/a')).status).toBe(308)
    expect((await sendRequest(edge.port, attached, '/a')).status).toBe(308)
    expect(await observed()).toMatchObject({ projectId: site.projectId, host: attached, status: 308 })
  })
})

describe('reports nothing else', () => {
  it.each([
    ['an unknown host', () => sendRequest(edge.port, 'nobody.localhost', '/')],
    ['another method there', () => sendRequest(edge.port, 'nobody.localhost', '/', {}, 'POST')],
    ['a malformed site request', () => sendRequest(edge.port, site.host, '/%00')],
    ['not HTTP', () => exchange(edge.port, 'nonsense\r\n\r\n')],
  ])('%s', async (_what, send) => {
    await send()
    await sendRequest(edge.port, site.host, '/')
    expect(await observed()).toMatchObject({ status: 200 })
  })
})

describe('a large file', () => {
  it('is reported when all of it was sent', async () => {
    await sendRequest(edge.port, site.host, '/large.bin')
    expect(await observed()).toMatchObject({ status: 200, bytes: large.length })
  })

  it('is reported with the bytes that were sent when it is aborted', async () => {
    const headers = { host: site.host }
    const sent = request({ port: edge.port, host: '127.0.0.1', path: '/large.bin', agent: false, headers })
    sent.end()
    const [reply] = await once(sent, 'response')
    await once(reply, 'readable')
    expect(reports).toEqual([])
    sent.destroy()
    const { bytes, address } = await observed()
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(large.length)
    expect(address).toBe('127.0.0.1')
  })
})

it('reports each of several pipelined requests, in order', async () => {
  const line = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${site.host}\r\n${more}\r\n`
  await exchange(edge.port, line('/') + line('/missing') + line('/', 'Connection: close\r\n'))
  await eventually(() => expect(reports).toHaveLength(3))
  expect(reports.map(({ status }) => status)).toEqual([200, 404, 200])
})
