import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { sharedTlsNode, type TlsNode } from '../../support/tls.ts'
import { type Http2Answer, openSession, sendRequest } from './http2-client.ts'

let node: TlsNode
let team: TestTeam
let session: ClientHttp2Session
let auth: { authorization: string }
let json: { authorization: string; 'content-type': string }
/** The number of lines that other files made the node log. */
let loggedBefore: number

beforeAll(async () => {
  node = await sharedTlsNode()
  loggedBefore = node.logged.length
  team = await newTeam(node)
  session = await openSession(node.secure)
  auth = { authorization: `Bearer ${team.ownerKey}` }
  json = { ...auth, 'content-type': 'application/json' }
})

afterAll(() => session.destroy())

const put = (project: string) => ({ ':method': 'PUT', ':path': `/v1/projects/${project}` })
const rpcInput = (...inputs: unknown[]) => encodeURIComponent(JSON.stringify({ ...inputs }))

describe('everything works over HTTP/2', () => {
  it('a project by REST, with the headers of every response and no connection headers', async () => {
    const project = unique('h2')
    const id = unique('request')
    const sent = JSON.stringify({ spa: true })
    const answer = await sendRequest(session, { ...put(project), ...json, 'x-request-id': id }, sent)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({ name: project, spa: true })
    expect(answer.headers.get('x-request-id')).toBe(id)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) {
      expect(answer.headers.has(name)).toBe(false)
    }
    expect((await team.owner('GET', `/v1/projects/${project}`)).body.spa).toBe(true)
  })

  it.each<[string, string | undefined]>([
    ['without a body', undefined],
    ['with an empty body that comes late', ''],
  ])('a PUT %s', async (_name, body) => {
    expect((await sendRequest(session, { ...put(unique('h2')), ...auth }, body)).status).toBe(200)
  })

  it('a stream of events, without connection headers', async () => {
    const stream = session.request({
      ':path': `/trpc/events.follow?input=${encodeURIComponent('{}')}`,
      ...auth,
    })
    let text = ''
    stream.setEncoding('utf8').on('data', (more) => {
      text += more
    })
    const [headers] = await once(stream, 'response')
    expect(headers[':status']).toBe(200)
    expect(headers).not.toHaveProperty('connection')
    await expect.poll(() => text).toContain('data: {"type":"connected"}')
    const project = unique('h2')
    await team.owner('PUT', `/v1/projects/${project}`)
    await expect.poll(() => text, { timeout: 5_000 }).toContain('project.created')
    stream.close()
    await once(stream, 'close')
  })

  it('HEAD, and many requests at once', async () => {
    expect((await sendRequest(session, { ':method': 'HEAD', ':path': '/healthz' })).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => sendRequest(session, { ':path': '/v1/projects', ...auth })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('a call, a batch, and a streamed batch by RPC', async () => {
    const single = await sendRequest(session, { ':path': '/trpc/projects.list?input={}', ...auth })
    expect(JSON.parse(single.text).result.data.data).toBeInstanceOf(Array)
    const path = `/trpc/projects.list,projects.get?batch=1&input=${rpcInput({}, { project: 'none' })}`
    const batch = await sendRequest(session, { ':path': path, ...auth })
    expect(batch.status).toBe(207)
    expect(JSON.parse(batch.text)[1].error.data.reason).toBe('project_not_found')
    const streamed = await sendRequest(session, {
      ':path': path,
      ...auth,
      'trpc-accept': 'application/jsonl',
    })
    expect(streamed.status).toBe(200)
    expect(streamed.headers.get('cache-control')).toBe('no-store')
    expect(streamed.headers.has('transfer-encoding')).toBe(false)
    expect(streamed.text.trim().split('\n').length).toBeGreaterThan(2)
  })

  it('a streamed upload', async () => {
    const project = unique('h2')
    await team.owner('PUT', `/v1/projects/${project}`)
    const content = unique('content').repeat(100_000)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const files = [{ path: 'a', sha256, size: content.length }]
    const create = () => team.owner('POST', '/v1/deployments', { project, files })
    const { pathname, search } = new URL((await create()).body.missing[0].upload_url)
    const upload = await sendRequest(session, { ':method': 'PUT', ':path': pathname + search }, content)
    expect(upload.status).toBe(200)
    expect((await create()).status).toBe(200)
  })

  it('the API reference', async () => {
    const page = await sendRequest(session, { ':path': '/docs' })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const script = await sendRequest(session, { ':path': '/openapi.json' })
    expect(script.text.length).toBeGreaterThan(100_000)
  })
})

describe('a request is refused on its own stream', () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'a']))
  const projects = () => ({ ':path': '/v1/projects', ...auth })
  it.each<[number, string, () => Promise<Http2Answer>]>([
    [400, 'an authority with a user', () => sendRequest(session, { ...projects(), ':authority': 'a@b' })],
    [
      400,
      'a host that is another',
      () => sendRequest(session, { ...projects(), ':authority': 'a', host: 'b' }),
    ],
    [400, 'the target *', () => sendRequest(session, { ':method': 'OPTIONS', ':path': '*' })],
    [400, 'a path that is not UTF-8', () => sendRequest(session, { ':path': '/%ff' })],
    [400, 'an unknown method', () => sendRequest(session, { ...projects(), ':method': 'BREW' })],
    [405, 'TRACE', () => sendRequest(session, { ...projects(), ':method': 'TRACE' })],
    [405, 'CONNECT', () => sendRequest(session, { ':method': 'CONNECT', ':authority': 'localhost:443' })],
    [404, 'a path like a host', () => sendRequest(session, { ':path': '//evil.example/x' })],
    [417, 'an expectation that nobody knows', () => sendRequest(session, { ...projects(), expect: 'tea' })],
    [431, '201 headers', () => sendRequest(session, { ...projects(), ...headers(200) })],
    [431, '2,500 headers', () => sendRequest(session, { ...headers(2_499), ...projects() })],
    [431, '17 KiB of headers', () => sendRequest(session, { ...projects(), 'x-a': 'a'.repeat(17_000) })],
    [400, 'a body without a type', () => sendRequest(session, { ...put('a'), ...auth }, '{}')],
    [
      400,
      'a compressed body',
      () => sendRequest(session, { ...put('a'), ...json, 'content-encoding': 'gzip' }, '{}'),
    ],
    [400, 'malformed JSON', () => sendRequest(session, { ...put('a'), ...json }, '{')],
    [400, '1e400', () => sendRequest(session, { ...put('a'), ...json }, '{"preview_ttl_days": 1e400}')],
    [400, '__proto__', () => sendRequest(session, { ...put('a'), ...json }, '{"__proto__": {}}')],
    [400, 'JSON 100,000 deep', () => sendRequest(session, { ...put('a'), ...json }, '['.repeat(100_000))],
    [401, 'a body of a stranger', () => sendRequest(session, put('a'), Buffer.alloc(3_000_000))],
    [
      413,
      'a body over the limit',
      () => sendRequest(session, { ...put('a'), ...json }, Buffer.alloc(11_000_000, ' ')),
    ],
  ])('%i: %s', async (status, _name, send) => {
    const answer = await send()
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text)).toMatchObject({
      reason: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.has('connection')).toBe(false)
  })

  it('200 headers are accepted, and each counts', async () => {
    expect((await sendRequest(session, { ':path': '/v1/projects', ...headers(199), ...auth })).status).toBe(
      200,
    )
  })

  it('a body that is shorter than its content-length has no effect', async () => {
    const project = unique('h2')
    const answer = await sendRequest(session, { ...put(project), ...json, 'content-length': '10' }, '{}')
    expect(answer.status).not.toBe(200)
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it('and the session stays usable', async () => {
    expect((await sendRequest(session, { ':path': '/v1/projects', ...auth })).status).toBe(200)
  })
})

it('none of this is logged as an internal error', () => {
  expect(node.logged.slice(loggedBefore).filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
