/** SIGTERM in the middle of work: requests under way are answered, and no connection is reset. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as secureRequest, Agent as TlsAgent } from 'node:https'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually, until } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

const stopMs = 5_000
const contentBytes = 200_000

type Answer = { status: number; body: string }

/** Sends one request to a path; rejects when there is no complete response. */
type Send = (method: string, path: string, body?: string | AsyncIterable<Buffer>) => Promise<Answer>

type Client = { send: Send; close(): void }

let directory: string
let program: Program
let ca: string
let plainUrl: string

beforeEach(async () => {
  directory = await newDataDirectory()
  const port = await freePort()
  plainUrl = `http://localhost:${port}`
  program = await startProgram({
    SVC_DATA_DIR: directory,
    SVC_PORT: port,
    SVC_TLS_PORT: '0',
    SVC_TLS_SELF_SIGNED: '1',
    SVC_STOP_MS: String(stopMs),
  })
  ca = await readFile(join(directory, 'tls', 'self-signed.crt'), 'utf8')
})

afterEach(async () => {
  await program.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

const jsonHeaders = () => ({ authorization: `Bearer ${program.key}`, 'content-type': 'application/json' })

/** A client that keeps one HTTP/1.1 connection open as long as it may. */
function http1Client(url: string, headers: Record<string, string> = jsonHeaders()): Client {
  const secure = url.startsWith('https:')
  const options = { keepAlive: true, maxSockets: 1, ca }
  const agent = secure ? new TlsAgent(options) : new PlainAgent(options)
  const send: Send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = (secure ? secureRequest : plainRequest)(new URL(path, url), { method, headers, agent })
      sent.on('response', (response) => readAnswer(response).then(resolve, reject))
      sent.on('error', reject)
      write(body, sent).catch(reject)
    })
  return { send, close: () => agent.destroy() }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode ?? 0, body }
}

/** A client on one HTTP/2 session. */
async function http2Client(url: string): Promise<Client> {
  const session = connectHttp2(url, { ca })
  await once(session, 'connect')
  const send: Send = async (method, path, body) => {
    const stream = session.request({ ':method': method, ':path': path, ...jsonHeaders() })
    let status = 0
    stream.on('response', (headers) => {
      status = Number(headers[':status'])
    })
    const [, text] = await Promise.all([write(body, stream), readText(stream)])
    if (status === 0) throw new Error('There was no answer.')
    return { status, body: text }
  }
  return { send, close: () => session.destroy() }
}

async function readText(source: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of source) text += chunk
  return text
}

async function write(body: string | AsyncIterable<Buffer> | undefined, to: NodeJS.WritableStream) {
  if (typeof body === 'object') for await (const chunk of body) to.write(chunk)
  if (typeof body === 'string') to.end(body)
  else to.end()
}

/**
 * Whether the server refused a request in a way that loses nothing: it wasn't sent, or was refused in the one
 * way that says that it was not processed (RFC 9113, section 8.7), as Node's client does by itself for
 * requests that it hasn't sent yet.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof Error && error.message.includes('NGHTTP2_REFUSED_STREAM')) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const refusals = ['ECONNREFUSED', 'ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION']
  return refusals.includes(String(code))
}

type Caller = { client: Client; call: (send: Send, turn: number) => Promise<Answer>; answered: number }

/** Sends requests until the server refuses, and counts the responses. */
async function callUntilRefused(caller: Caller): Promise<void> {
  const { send, close } = caller.client
  try {
    for (; ; caller.answered += 1) expect((await caller.call(send, caller.answered)).status).toBe(200)
  } catch (error) {
    if (!isRefusal(error)) throw error
  } finally {
    close()
  }
}

async function* slowly(content: Buffer, pieces: number, pauseMs: number): AsyncGenerator<Buffer> {
  const size = Math.ceil(content.length / pieces)
  for (let i = 0; i < pieces; i += 1) {
    yield content.subarray(i * size, (i + 1) * size)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Puts a project, and returns the path for uploading `content`. */
async function uploadPath({ send }: Client, content: Buffer): Promise<string> {
  await send('PUT', '/v1/projects/site', '{}')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const files = [{ path: 'a', sha256, size: content.length }]
  const { body } = await send('POST', '/v1/deployments', JSON.stringify({ project: 'site', files }))
  const { pathname, search } = new URL(JSON.parse(body).missing[0].upload_url)
  return pathname + search
}

it('answers every request on kept-alive connections, and stops in time', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const setUp = http1Client(plainUrl)
  await setUp.send('PUT', '/v1/projects/hello', '{}')
  const files = [{ path: 'index.html', content: 'hello' }]
  const site = { project: 'hello', target: 'production', files }
  await setUp.send('POST', '/v1/deployments', JSON.stringify(site))
  setUp.close()

  const read = (send: Send) => send('GET', '/v1/projects/hello')
  const change = (name: string) => (send: Send, turn: number) =>
    send('PUT', `/v1/projects/${name}-${turn}`, '{}')
  const visit = (send: Send) => send('GET', '/')
  const edge = program.siteUrl('hello').replace('hello.localhost', '127.0.0.1')
  const edgeHost = { host: new URL(program.siteUrl('hello')).host }
  const session = await http2Client(program.apiUrl)
  const shared = { send: session.send, close: () => {} }
  const callers: Caller[] = [
    ...[1, 2, 3].map(() => ({ client: http1Client(plainUrl), call: read })),
    { client: http1Client(plainUrl), call: change('plain') },
    ...[1, 2].map(() => ({ client: http1Client(program.apiUrl), call: read })),
    { client: http1Client(program.apiUrl), call: change('tls') },
    ...[1, 2, 3].map(() => ({ client: shared, call: read })),
    { client: shared, call: change('http2') },
    ...[1, 2].map(() => ({ client: http1Client(edge, edgeHost), call: visit })),
  ].map((each) => ({ ...each, answered: 0 }))
  const busy = Promise.all(callers.map(callUntilRefused))
  const least = () => Math.min(...callers.map(({ answered }) => answered))
  await Promise.race([busy, expect.poll(least, { timeout: 30_000 }).toBeGreaterThan(3)])
  const startMs = performance.now()
  const end = program.end('SIGTERM')
  await busy
  expect(await end).toBe(0)
  expect(performance.now() - startMs).toBeLessThan(stopMs)
  session.close()
})

it('finishes uploads, reports in /readyz that it is stopping, and keeps what was acknowledged', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const clients = [http1Client(plainUrl), http1Client(program.apiUrl), await http2Client(program.apiUrl)]
  const uploads: Promise<Answer>[] = []
  const digests: string[] = []
  for (const client of clients) {
    const content = randomBytes(contentBytes)
    digests.push(createHash('sha256').update(content).digest('hex'))
    uploads.push(client.send('PUT', await uploadPath(client, content), slowly(content, 10, 150)))
  }
  const watch = http1Client(plainUrl)
  expect((await watch.send('GET', '/readyz')).status).toBe(200)
  const end = program.end('SIGTERM')
  const ready = await until(async () => {
    const answer = await watch.send('GET', '/readyz')
    return answer.status === 503 && answer
  })
  expect(JSON.parse(ready.body)).toMatchObject({ stopping: true })
  await eventually(() =>
    expect(watch.send('GET', '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
  )
  for (const upload of uploads) expect((await upload).status).toBe(200)
  expect(await end).toBe(0)

  const { key } = program
  program = await startProgram({ SVC_DATA_DIR: directory })
  const files = digests.map((sha256) => ({ path: sha256, sha256, size: contentBytes }))
  const created = await fetch(`${program.apiUrl}/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project: 'site', files }),
  })
  expect(await created.json()).toMatchObject({ state: 'ready', files: clients.length })
  for (const client of [...clients, watch]) client.close()
})

it('cuts off endless requests when the time to stop is over', { tags: 'long', timeout: 60_000 }, async () => {
  const client = http1Client(plainUrl)
  const content = randomBytes(100_000)
  const upload = client.send('PUT', await uploadPath(client, content), slowly(content, 100, 500))
  const cut = expect(upload).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const startMs = performance.now()
  expect(await program.end('SIGTERM')).toBe(0)
  await cut
  expect(performance.now() - startMs).toBeGreaterThan(stopMs - 100)
  expect(performance.now() - startMs).toBeLessThan(stopMs + 3_000)
  client.close()
})
