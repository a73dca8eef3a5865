/** How fast bodies must arrive, how much of them is held, and what happens to connections after a refusal. */
import { createHash } from 'node:crypto'
import type { ClientHttp2Session } from 'node:http2'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readBody } from '../../../src/api/server/http/read-body.ts'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTlsNode, type TlsNode } from '../../support/tls.ts'
import { openSession, sendRequest } from './http2-client.ts'
import { connectRaw, head } from './raw-http.ts'

const maxJsonBytes = 200_000

const timeouts = {
  ...defaultTimeouts,
  bodyWaitMs: 100,
  uploadWindowMs: 500,
  uploadBytesPerSecond: 200,
  requestMs: 500,
  lingerMs: 200,
}

let node: TlsNode
let team: TestTeam

beforeAll(async () => {
  node = await startTlsNode(
    { SVC_MAX_JSON_BYTES: String(maxJsonBytes), SVC_BODY_BYTES: String(4 * maxJsonBytes) },
    timeouts,
  )
  team = await newTeam(node)
})

afterAll(() => node.stop())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function session(): Promise<ClientHttp2Session> {
  const opened = await openSession(node.secure)
  onTestFinished(() => opened.destroy())
  return opened
}

async function uploadPath(content: string): Promise<string> {
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const files = [{ path: 'a', sha256, size: content.length }]
  const { body } = await team.owner('POST', '/v1/deployments', { project, files })
  const { pathname, search } = new URL(body.missing[0].upload_url)
  return pathname + search
}

type Send = (path: string, chunks: string[], everyMs: number) => Promise<number>

/** Uploads a body chunk by chunk, and returns the status. */
const uploads: [string, Send][] = [
  [
    'HTTP/1.1',
    async (path, chunks, everyMs) => {
      const connection = await connectRaw(node)
      onTestFinished(() => void connection.socket.destroy())
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      connection.send(head(`PUT ${path}`, `Content-Length: ${length}`))
      const answer = connection.answer()
      for (const chunk of chunks) {
        if (connection.socket.destroyed) break
        connection.send(chunk)
        await pause(everyMs)
      }
      return (await answer).status
    },
  ],
  [
    'HTTP/2',
    async (path, chunks, everyMs) => {
      const stream = (await session()).request({ ':path': path, ':method': 'PUT' })
      stream.on('error', () => {})
      const answered = new Promise<number>((resolve) => {
        stream.on('response', (headers) => resolve(Number(headers[':status'])))
        stream.on('close', () => resolve(0))
      })
      stream.resume()
      for (const chunk of chunks) {
        if (stream.destroyed || stream.closed) break
        stream.write(chunk)
        await pause(everyMs)
      }
      stream.end()
      return answered
    },
  ],
]

describe.each(uploads)('an upload over %s', (_, send) => {
  it('that keeps up the minimum rate may take as long as it needs', async () => {
    // Some 1.2 s, longer than any other request may take.
    const chunks = Array.from({ length: 24 }, () => unique('x').repeat(40))
    expect(await send(await uploadPath(chunks.join('')), chunks, 50)).toBe(200)
  })

  it('that is slower on average gets 408, though its bytes keep coming', async () => {
    const chunks = Array.from({ length: 400 }, () => 'x')
    expect(await send(await uploadPath(unique('x').repeat(100).slice(0, 400)), chunks, 25)).toBe(408)
  })
})

it('a body whose next byte is always ready is still cut off at its time limit', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.from(' ')
    })(),
  )
  const reading = readBody(endless, { maxBytes: Number.POSITIVE_INFINITY, timeoutMs: 50 })
  await expect(reading).rejects.toMatchObject({ reason: 'request_timeout' })
})

describe('a connection stays usable after a refusal, once the rest of the body has arrived', () => {
  const json = 'Content-Type: application/json'

  it.each([
    ['a refusal before the body was read', 'PUT /v1/projects/a', 401],
    ['a refusal at an unknown path', 'POST /nowhere', 404],
  ])('%s', async (_, line, status) => {
    const connection = await connectRaw(node)
    onTestFinished(() => void connection.socket.destroy())
    connection.send(head(line, json, 'Content-Length: 50'))
    expect((await connection.answer()).status).toBe(status)
    connection.send(' '.repeat(50))
    await pause(timeouts.lingerMs * 2)
    connection.send(head('GET /healthz'))
    expect((await connection.answer()).status).toBe(200)
  })
})

describe('a team’s bodies under way', () => {
  const project = () => `/v1/projects/${unique('site')}`
  const ofSize = (bytes: number) => ({ env: { A: 'x'.repeat(bytes) } })

  /** A request of which only the head has been sent. */
  async function hold(of: TestTeam, bytes: number) {
    const connection = await connectRaw(node)
    onTestFinished(() => void connection.socket.destroy())
    const auth = `Authorization: Bearer ${of.ownerKey}`
    connection.send(
      head(`PUT ${project()}`, auth, 'Content-Type: application/json', `Content-Length: ${bytes}`),
    )
    return connection
  }

  it('are limited: more get 429 until some end, while small ones and other teams pass', async () => {
    const [busy, other] = [await newTeam(node), await newTeam(node)]
    const held = await hold(busy, maxJsonBytes)
    const put = (by: TestTeam, bytes = 100_000) => by.owner('PUT', project(), ofSize(bytes))
    await expect.poll(async () => (await put(busy)).status).toBe(429)
    const { body, headers } = await put(busy)
    expect(body).toMatchObject({ reason: 'too_many_waiting', retry_after_ms: 1_000 })
    expect(headers.get('retry-after')).toBe('1')
    const overHttp2 = await sendRequest(
      await session(),
      {
        ':path': project(),
        ':method': 'PUT',
        'content-type': 'application/json',
        authorization: `Bearer ${busy.ownerKey}`,
      },
      JSON.stringify(ofSize(100_000)),
    )
    expect({ status: overHttp2.status, ...JSON.parse(overHttp2.text) }).toMatchObject({
      status: 429,
      reason: 'too_many_waiting',
    })
    expect((await put(busy, 100)).status).not.toBe(429)
    expect((await put(other)).status).not.toBe(429)
    held.socket.destroy()
    await expect.poll(async () => (await put(busy)).status).not.toBe(429)
  })

  it('count until they are answered, whatever the response', async () => {
    const busy = await newTeam(node)
    for (let i = 0; i < 10; i += 1) {
      expect((await busy.owner('PUT', project(), 'x'.repeat(maxJsonBytes - 10))).status).toBe(400)
    }
  })
})
