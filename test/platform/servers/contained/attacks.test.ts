/**
 * Applications that mean harm to the edge, and crowds of visitors: each gets its own answers, and other sites
 * are served meanwhile.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { newCertificate } from '../../../support/certificate.ts'
import { eventually, until } from '../../../support/eventually.ts'
import { startTestNode, type TestNode, unique } from '../../../support/node.ts'
import { freePort } from '../../../support/ports.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deploy } from '../../deployments/steps.ts'
import { deployAsServer } from '../deploy-as-server.ts'
import { testTimeout } from '../server.ts'
import { crashing, harmful, slow, streaming } from './harmful.ts'

vi.setConfig({ testTimeout, hookTimeout: testTimeout })

/** The most servers of the node. */
const room = 3

let node: TestNode
let team: TestTeam
let other: TestTeam
let tlsPort: string
let internalPort: string
/** A site of another team, of files alone. */
let files: string

beforeAll(async () => {
  const { cert, key } = await newCertificate('*.localhost')
  const place = join(inject('directory'), unique('attacks'))
  await writeFile(`${place}.crt`, cert)
  await writeFile(`${place}.key`, key)
  tlsPort = await freePort()
  internalPort = await freePort()
  node = await startTestNode({
    SVC_ROLES: 'api,edge',
    SVC_INTERNAL_PORT: internalPort,
    SVC_EDGE_TLS_PORT: tlsPort,
    SVC_EDGE_TLS_CERT: `${place}.crt`,
    SVC_EDGE_TLS_KEY: `${place}.key`,
    SVC_EDGE_HTTPS_REDIRECT: '0',
    SVC_RUNTIME_MAX: String(room),
    // So that a test has visitors of many addresses.
    SVC_TRUSTED_PROXIES: '127.0.0.1',
  })
  ;[team, other] = [await newTeam(node), await newTeam(node)]
  files = (await deploy(other, { project: 'files', target: 'production' })).url
})
afterAll(() => node?.stop())

const deployServer = (of: TestTeam, content: string, fields?: Record<string, unknown>) =>
  deployAsServer(node, of, { content, ...fields })

type Sent = { method?: string; from?: number; headers?: Record<string, string>; agent?: Agent | false }

const addressOf = (from: number) => `203.0.${113 + Math.floor(from / 250)}.${1 + (from % 250)}`

function open(url: string, path: string, { method = 'GET', from = 0, headers, agent = false }: Sent = {}) {
  const { port, host } = new URL(url)
  const of = { host, 'x-forwarded-for': addressOf(from), ...headers }
  return request({ host: '127.0.0.1', port, path, method, agent, headers: of }).on('error', () => {})
}

type Answer = { status: number | undefined; headers: IncomingHttpHeaders }

/** The head of the answer; the status is 0 where the connection ends instead, or the body does too early. */
async function visit(url: string, path: string, sent: Sent = {}): Promise<Answer> {
  const req = open(url, path, sent).end()
  return new Promise((resolve) => {
    req.once('error', () => resolve({ status: 0, headers: {} }))
    req.once('response', (res) => {
      const { statusCode: status, headers } = res
      res.on('error', () => resolve({ status: 0, headers }))
      res.on('end', () => resolve({ status, headers })).resume()
    })
  })
}

/** Visits the other site, one request after the other, until `during` settles. */
async function watch<T>(during: Promise<T>): Promise<T> {
  let isOver = false
  const done = during.finally(() => {
    isOver = true
  })
  const agent = new Agent({ keepAlive: true })
  do expect(await visit(files, '/', { from: 1_000, agent })).toMatchObject({ status: 200 })
  while (!isOver)
  agent.destroy()
  return done
}

/** How many requests wait for a start. */
async function waiting(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text()
  return Number(/^svc_server_requests_waiting (\d+)$/m.exec(metrics)?.[1])
}

const linesOf = async (deployment: string, of = team): Promise<string[]> => {
  const { body } = await of.owner('GET', `/v1/logs?kind=runtime&deployment=${deployment}&order=asc`)
  return body.data.map(({ message }: { message: string }) => message)
}

describe('an application whose answers are none', () => {
  let url: string
  let id: string
  let session: ClientHttp2Session

  beforeAll(async () => {
    ;({ url, id } = await deployServer(team, harmful))
    const { hostname } = new URL(url)
    session = connectHttp2(`https://127.0.0.1:${tlsPort}`, {
      servername: hostname,
      rejectUnauthorized: false,
    })
    expect(await visit(url, '/ok')).toMatchObject({ status: 200 })
  })
  afterAll(() => session.destroy())

  /** As `visit`, over HTTP/2. */
  function visitHttp2(path: string): Promise<number | undefined> {
    const { hostname } = new URL(url)
    const stream = session.request({ ':path': path, ':authority': `${hostname}:${tlsPort}` })
    return new Promise((resolve) => {
      let status: number | undefined
      stream.on('error', () => {})
      stream.once('response', (headers) => {
        status = headers[':status']
      })
      stream.once('close', () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? status : 0))
      stream.resume()
    })
  }

  it.each([
    ['/status-099', 502],
    ['/status-99', 502],
    ['/status-999', 502],
    ['/status-1000', 502],
    ['/switch', 502],
    ['/hints', 502],
    ['/two-lengths', 502],
    ['/length-and-chunks', 502],
    ['/two-locations', 502],
    ['/two-types', 502],
    ['/two-tags', 502],
    ['/control', 502],
    ['/zero', 502],
    ['/large', 502],
    ['/no-http', 502],
    ['/nothing', 502],
    ['/cut-length', 0],
    ['/cut-chunks', 0],
    ['/bad-chunk', 0],
  ])('%s is %i over both protocols, and hurts nobody', async (path, status) => {
    const both = Promise.all([visit(url, path).then((answer) => answer.status), visitHttp2(path)])
    expect(await watch(both)).toEqual([status, status])
    expect(await visit(url, '/ok')).toMatchObject({ status: 200 })
    expect(await visitHttp2('/ok')).toBe(200)
  })

  it('an answer without an end ends with its visitor', async () => {
    const req = open(url, '/endless').end()
    const [res] = await once(req, 'response')
    await watch(once(res, 'data'))
    req.destroy()
    await eventually(async () => expect(await linesOf(id)).toContain('left /endless'))
  })

  it('goes on as one process, with its lines', async () => {
    const input = encodeURIComponent(JSON.stringify({ project: 'web' }))
    const { body } = await team.owner('GET', `/trpc/ps.list?input=${input}`)
    expect(body.result.data.data).toMatchObject([{ state: 'running', restarts: 0 }])
  })
})

describe('a crowd before a server that starts', () => {
  it('waits as a hundred, and all others are to come again', async () => {
    const { url } = await deployServer(team, slow, { project: 'slow' })
    const crowd = Array.from({ length: 160 }, (_, from) => visit(url, '/', { from }))
    const answers = await watch(Promise.all(crowd))
    const [held, refused] = [200, 503].map((code) => answers.filter(({ status }) => status === code))
    expect([held?.length, refused?.length]).toEqual([100, 60])
    for (const { headers } of refused ?? []) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  it('loses the places of those who leave, of whom nothing arrives', async () => {
    const { url, id } = await deployServer(team, slow, { project: 'left' })
    const posts = Array.from({ length: 100 }, (_, from) => {
      const req = open(url, '/post', { method: 'POST', from, headers: { 'content-length': '100' } })
      req.write('a part')
      return req
    })
    await eventually(async () => expect(await waiting()).toBe(100))
    for (const req of posts) req.socket?.resetAndDestroy()
    await eventually(async () => expect(await waiting()).toBe(0))
    expect(await visit(url, '/')).toMatchObject({ status: 200 })
    expect((await linesOf(id)).filter((line) => line.includes('/post'))).toEqual([])
  })
})

describe('a server that accepts nothing any more', () => {
  it('has a bounded crowd before it, and others are served', async () => {
    const { url } = await deployServer(team, harmful, { project: 'loop' })
    expect(await visit(url, '/ok')).toMatchObject({ status: 200 })
    const sent: ReturnType<typeof open>[] = []
    let refused = 0
    for (let from = 0; from < 1_000; from += 1) {
      const req = open(url, from === 0 ? '/loop' : '/', { from: from % 100 })
      req.once('response', (res) => {
        expect(res.statusCode).toBe(503)
        res.resume()
        refused += 1
      })
      sent.push(req.end())
    }
    // 64 are sent to it, and 256 wait for one of those.
    await watch(until(() => refused === 1_000 - 64 - 256))
    for (const req of sent) req.destroy()
  })
})

describe('the room of the node', () => {
  /** Production of another team, which nobody runs at first. */
  const production = async () =>
    (await deployServer(other, streaming, { project: unique('shop'), target: 'production' })).url

  it('is there for another team while strangers wake one preview after the other', async () => {
    const previews: string[] = []
    for (let each = 0; each < 4 * room; each += 1)
      previews.push((await deployServer(team, streaming, { project: 'previews' })).url)
    const url = await production()
    const strangers = Promise.all(previews.map((preview, from) => visit(preview, '/', { from })))
    await watch(
      eventually(async () => expect(await visit(url, '/', { from: 500 })).toMatchObject({ status: 200 })),
    )
    const statuses = (await strangers).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  })

  it('is there beside a team that holds as many event streams as it may', async () => {
    const { url } = await deployServer(team, streaming, { project: 'streams' })
    expect(await visit(url, '/')).toMatchObject({ status: 200 })
    const streams = Array.from({ length: 500 }, (_, from) => open(url, '/events', { from }).end())
    let open64 = 0
    for (const req of streams)
      req.once('response', (res) => {
        if (res.statusCode === 200) open64 += 1
        res.on('error', () => {}).resume()
      })
    await until(() => open64 === 64)
    expect(await watch(visit(await production(), '/'))).toMatchObject({ status: 200 })
    expect(open64).toBe(64)
    for (const req of streams) req.destroy()
  })

  it('is not taken by a server that never starts, nor is anybody’s time', async () => {
    const third = await newTeam(node)
    const { url, id } = await deployServer(third, crashing)
    const answers = await watch(
      Promise.all(Array.from({ length: 300 }, (_, from) => visit(url, '/', { from }))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502, 503]))
    expect(await watch(visit(await production(), '/'))).toMatchObject({ status: 200 })
    expect((await linesOf(id, third)).filter((line) => line === 'here').length).toBeLessThan(10)
  })
})
