/** What a receiver gets in one attempt, and what counts as its response. */
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepSelfSigned } from '../../../../src/lib/tls/self-signed.ts'
import { version } from '../../../../src/lib/version.ts'
import { createSender, type Sender } from '../../../../src/platform/webhooks/delivery/attempt.ts'
import { newSecret } from '../../../../src/platform/webhooks/secret.ts'
import { eventually } from '../../../support/eventually.ts'
import { answerEndlessly, type Received, type Receiver, startReceiver } from '../receiver.ts'

const secret = newSecret()
const id = 'evt_1'
const body = JSON.stringify({ id, data: { name: 'Zoë "quoted" \u2028' } })

let receiver: Receiver
const senders: Sender[] = []

beforeEach(async () => {
  receiver = await startReceiver()
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await receiver.close()
  await Promise.all(senders.splice(0).map((sender) => sender.close()))
})

type Options = Partial<Parameters<typeof createSender>[0]>

function sender(options: Options = {}): Sender {
  const made = createSender({ allowPrivate: true, resolvers: undefined, limitMs: 2_000, ...options })
  senders.push(made)
  return made
}

const never = new AbortController().signal

async function sendTo(url: string, options: Options = {}, sentMs = Date.now()) {
  return sender(options).send({ url, secret, id, body, sentMs }, never)
}

describe('a message', () => {
  it('is posted as JSON, with its id, timestamp and signature', async () => {
    expect(await sendTo(`${receiver.url}?a=b%20c`)).toMatchObject({ status: 200 })
    const [got] = receiver.received
    expect(got).toMatchObject({ path: '/hook?a=b%20c', body })
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `svc/${version}`,
      'webhook-id': id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
  })

  it('goes directly to its receiver, ignoring proxies in the environment', async () => {
    const proxy = await startReceiver()
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.url)
    expect(await sendTo(receiver.url)).toMatchObject({ status: 200 })
    expect([receiver.connections, proxy.connections]).toEqual([1, 0])
    await proxy.close()
  })
})

describe('the signature, as checked by the package standardwebhooks', () => {
  const verifier = new Webhook(secret)
  const verify = ({ headers, body }: Received) => {
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    return verifier.verify(body, Object.fromEntries(signed.map((name) => [name, String(headers[name])])))
  }

  async function received(aheadMs = 0): Promise<Received> {
    await sendTo(receiver.url, {}, Date.now() + aheadMs)
    const [got] = receiver.received
    if (!got) throw new Error('Nothing came.')
    return got
  }

  it('is valid', async () => {
    expect(verify(await received())).toEqual(JSON.parse(body))
  })

  it('is invalid for a body with a space more, and for another id', async () => {
    const got = await received()
    expect(() => verify({ ...got, body: `${got.body} ` })).toThrow('signature')
    expect(() => verify({ ...got, headers: { ...got.headers, 'webhook-id': 'evt_2' } })).toThrow('signature')
  })

  it.each([-302_000, 302_000])('is invalid %i ms away from now', async (aheadMs) => {
    const got = await received(aheadMs)
    expect(() => verify(got)).toThrow('timestamp')
  })
})

describe('a response', () => {
  it.each([200, 201, 204, 299, 400, 404, 410, 429, 500, 503])('%i is recorded as it is', async (status) => {
    receiver.answer = status
    expect(await sendTo(receiver.url)).toEqual({ status, retryAfter: undefined })
  })

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const inside = await startReceiver()
    receiver.answer = (response) => response.writeHead(status, { location: inside.url }).end()
    expect(await sendTo(receiver.url)).toMatchObject({ status })
    expect(inside.connections).toBe(0)
    await inside.close()
  })

  it('may have Retry-After', async () => {
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '120' }).end()
    expect(await sendTo(receiver.url)).toEqual({ status: 503, retryAfter: '120' })
  })

  it('that never arrives is a failure', async () => {
    receiver.answer = () => {}
    expect(await sendTo(receiver.url, { limitMs: 200 })).toEqual({ failure: 'The request timed out.' })
  })

  it('that arrives one byte at a time is a failure', async () => {
    receiver.answer = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('a'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await sendTo(receiver.url, { limitMs: 300 })).toEqual({ failure: 'The request timed out.' })
  })

  it('of a gigabyte is a failure, after a small part of it', async () => {
    let sent = 0
    receiver.answer = (response) => {
      answerEndlessly(response)
      response.on('close', () => {
        sent = response.socket?.bytesWritten ?? 0
      })
    }
    expect(await sendTo(receiver.url)).toEqual({ failure: 'The response is too long.' })
    await eventually(() => expect(sent).toBeGreaterThan(0))
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('that is cut off is a failure', async () => {
    receiver.answer = (response) => response.socket?.destroy()
    expect(await sendTo(receiver.url)).toEqual({ failure: 'The connection failed.' })
    receiver.answer = (response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => response.socket?.destroy())
    }
    expect(await sendTo(receiver.url)).toEqual({ failure: 'The connection failed.' })
  })

  it('that is not HTTP, or has endless headers, is a failure', async () => {
    const answers = ['SSH-2.0-OpenSSH_9.2\r\n', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`]
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(answers.shift() ?? '')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({ failure: 'The response is not HTTP.' })
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toMatchObject({ failure: expect.any(String) })
    server.close()
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({ failure: 'The connection was refused.' })
  })
})

describe('over https', () => {
  it('the certificate must be valid for the name, and trusted', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-'))
    const files = { certFile: join(directory, 'tls', 'a.crt'), keyFile: join(directory, 'tls', 'a.key') }
    await keepSelfSigned(files, ['hooks.example.com'], Date.now())
    const ca = await readFile(files.certFile, 'utf8')
    const secure = await startReceiver({ cert: ca, key: await readFile(files.keyFile, 'utf8') })
    const resolve = async () => ['127.0.0.1']
    const at = (name: string) => `https://${name}:${secure.port}/hook`
    expect(await sendTo(at('hooks.example.com'), { resolve, ca })).toMatchObject({ status: 200 })
    expect(await sendTo(at('other.example.com'), { resolve, ca })).toEqual({
      failure: 'The certificate or TLS was refused (ERR_TLS_CERT_ALTNAME_INVALID).',
    })
    expect(await sendTo(at('hooks.example.com'), { resolve })).toMatchObject({
      failure: expect.stringMatching(/^The certificate or TLS was refused/),
    })
    expect(secure.received).toHaveLength(1)
    await secure.close()
  })
})

describe('a URL that is no longer allowed', () => {
  it('is not connected to', async () => {
    const strict = { allowPrivate: false, resolve: async () => ['127.0.0.1'] }
    expect(await sendTo(receiver.url, strict)).toEqual({ failure: 'The URL must be https.' })
    expect(await sendTo(`https://127.0.0.1:${receiver.port}/`, strict)).toMatchObject({
      failure: expect.stringMatching(/^The URL must/),
    })
    expect(await sendTo('https://hooks.example.com:8443/', strict)).toEqual({
      failure: 'The host has no public address.',
    })
    expect(receiver.connections).toBe(0)
  })
})

describe('when the node stops', () => {
  const send = (stopping: AbortSignal) =>
    sender({ stopGraceMs: 100 }).send({ url: receiver.url, secret, id, body, sentMs: 0 }, stopping)

  it('a response is still awaited, but not for long', async () => {
    receiver.answer = () => {}
    const stopping = new AbortController()
    const sent = send(stopping.signal)
    await eventually(() => expect(receiver.received).toHaveLength(1))
    stopping.abort()
    expect(await sent).toBeUndefined()
  })

  it('a response in time counts', async () => {
    expect(await send(AbortSignal.abort())).toMatchObject({ status: 200 })
  })
})
