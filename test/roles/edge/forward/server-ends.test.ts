/** Requests to servers of deployments that start, that have just ended, or that say nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ServerRefusal, ServerRefused } from '../../../../src/platform/servers/servers.ts'
import { until } from '../../../support/eventually.ts'
import { sendRequest, untilClosed } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import { type Origin, startOrigin } from './origin.ts'
import { createTestServers, type TestServers } from './servers.ts'

let edge: Edge
let own: Origin
let servers: TestServers
let site: TestSite
let find: Parameters<typeof createTestServers>[0]
let answer: (req: IncomingMessage, res: ServerResponse) => void
let count = 0

const echo = async (req: IncomingMessage, res: ServerResponse) => {
  const body = await text(req).catch(() => 'broken off')
  res.end(`${req.method} ${body}`)
}

beforeAll(async () => {
  own = await startOrigin((req, res) => {
    count += 1
    answer(req, res)
  }, 'socket')
  own.server.on('checkContinue', (req, res) => answer(req, res))
  servers = createTestServers((...given) => find(...given))
  edge = await startEdge({
    servers,
    silence: { messageMs: 1_000, streamMs: 1_000 },
    trustedProxies: ['127.0.0.1'],
  })
  site = await newSite(edge)
  const { id } = await site.deploy({}, { hasServer: true })
  await site.promote(id)
})

afterAll(async () => {
  await own.close()
  await edge.close()
})

beforeEach(() => {
  answer = echo
  find = () => own
  count = 0
  servers.wanted.length = 0
  servers.outcomes.length = 0
  servers.problems.length = 0
})

function ask(method = 'GET', headers: Record<string, string> = {}) {
  const sent = request({
    port: edge.port,
    path: '/x',
    method,
    agent: false,
    headers: { host: site.host, ...headers },
  })
  return sent.on('error', () => {})
}

async function answerTo(method: string, body?: string) {
  const sent = ask(method)
  sent.end(body)
  const [reply]: [IncomingMessage] = (await once(sent, 'response')) as never
  return { status: reply.statusCode, text: await text(reply), headers: reply.headers }
}

describe('a server that has just ended', () => {
  it.each([
    ['GET', undefined],
    ['POST', 'a body'],
    ['DELETE', undefined],
  ])('is another start of it for a %s that has reached nobody', async (method, body) => {
    const gone = await startOrigin(() => {}, 'socket')
    await gone.close()
    find = () => (servers.wanted.length < 3 ? { path: gone.path } : own)
    expect(await answerTo(method, body)).toMatchObject({ status: 200, text: `${method} ${body ?? ''}` })
    expect([servers.wanted.length, servers.leased(), count]).toEqual([3, 0, 1])
  })

  it('is not waited for without end', async () => {
    find = () => ({ path: '/nowhere' })
    expect(await answerTo('GET')).toMatchObject({ status: 502 })
    expect(servers.leased()).toBe(0)
  })

  it('takes a kept connection along, which no request is lost with', async () => {
    const first = await startOrigin(echo, 'socket')
    find = () => first
    expect(await answerTo('GET')).toMatchObject({ status: 200 })
    const socket = connect(first.path)
    await once(socket, 'connect')
    find = () => own
    await first.close()
    for (const method of ['GET', 'POST']) expect(await answerTo(method, '')).toMatchObject({ status: 200 })
    socket.destroy()
  })

  it('leaves a GET on a kept connection for the next start', async () => {
    let requests = 0
    const first = await startOrigin((req, res) => {
      requests += 1
      if (requests === 1) res.end('once')
      else req.socket.destroy()
    }, 'socket')
    find = () => (servers.wanted.length < 3 ? first : own)
    expect((await answerTo('GET')).text).toBe('once')
    expect(await answerTo('GET')).toMatchObject({ status: 200, text: 'GET ' })
    expect(requests).toBe(2)
    await first.close()
  })

  it('leaves no GET to which it has begun to answer', async () => {
    let requests = 0
    const first = await startOrigin((req, res) => {
      requests += 1
      if (requests === 1) res.end('once')
      else res.writeEarlyHints({ link: '</a>; rel=preload' }, () => req.socket.end())
    }, 'socket')
    find = () => (servers.wanted.length < 3 ? first : own)
    expect((await answerTo('GET')).text).toBe('once')
    expect(await answerTo('GET')).toMatchObject({ status: 502 })
    expect(requests).toBe(2)
    await first.close()
  })

  it.each(['POST', 'DELETE'])('answers a %s with 502 that it may have read', async (method) => {
    answer = (req) => req.socket.destroy()
    expect(await answerTo(method, method === 'POST' ? 'a body' : undefined)).toMatchObject({
      status: 502,
      text: 'The server behind this path gave no answer.\n',
    })
    expect(count).toBe(1)
  })

  it('gets no POST on a kept connection', async () => {
    const sockets = new Set<Socket>()
    answer = (req, res) => {
      sockets.add(req.socket)
      echo(req, res)
    }
    for (const method of ['GET', 'GET', 'POST', 'POST']) await answerTo(method, '')
    expect(sockets.size).toBe(3)
  })
})

describe('a server that starts', () => {
  it.each<[ServerRefusal, number | undefined, number, string | undefined]>([
    ['busy', 4_100, 503, '5'],
    ['starting', 1_000, 503, '1'],
    ['unavailable', undefined, 503, '1'],
    ['gone', undefined, 503, '1'],
    ['crashed', 8_000, 502, '8'],
    ['crashed', undefined, 502, undefined],
  ])('but is %s', async (refusal, retryAfterMs, status, retryAfter) => {
    find = () => {
      throw new ServerRefused(refusal, 'A sentence for members: /srv/secret.', retryAfterMs)
    }
    const reply = await sendRequest(edge.port, site.host, '/x')
    expect([reply.status, reply.headers['retry-after']]).toEqual([status, retryAfter])
    expect(reply.text).not.toContain('secret')
  })

  it('reads no body before, and its answer decides whether one is sent', async () => {
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    find = () => started.then(() => own)
    answer = (req, res) => {
      res.writeContinue()
      echo(req, res)
    }
    const sent = ask('POST', { expect: '100-continue', 'content-length': '4' })
    let hasContinued = false
    sent.once('continue', () => {
      hasContinued = true
      sent.end('body')
    })
    sent.flushHeaders()
    await until(() => servers.wanted.length === 1)
    const long = ask('PUT')
    let accepted = 0
    const chunk = Buffer.alloc(1024 * 1024)
    const push = () => {
      while (accepted < 200 && long.write(chunk)) accepted += 1
    }
    long.on('drain', push)
    push()
    await until(() => servers.wanted.length === 2)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect([hasContinued, accepted < 40]).toEqual([false, true])
    long.destroy()
    start()
    const [reply]: [IncomingMessage] = (await once(sent, 'response')) as never
    expect([hasContinued, await text(reply)]).toEqual([true, 'POST body'])
  })

  it('doesn’t for a visitor who has left', async () => {
    let hasAborted = false
    find = (_wanted, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          hasAborted = true
          reject(signal.reason)
        })
      })
    const sent = ask()
    sent.end()
    await until(() => servers.wanted.length === 1)
    // Whoever says only that nothing more comes may wait for the answer.
    sent.socket?.resetAndDestroy()
    await until(() => hasAborted)
  })
})

it('an answer that no visitor can get is one for the log of the server', async () => {
  answer = (_req, res) => res.socket?.end('HTTP/1.1 99 Less\r\n\r\n')
  for (const method of ['GET', 'POST']) expect(await answerTo(method, '')).toMatchObject({ status: 502 })
  expect(servers.problems).toEqual(['broken', 'broken'])
  answer = echo
  await answerTo('GET')
  expect(servers.problems).toHaveLength(2)
})

describe('a server that says nothing', () => {
  it('is reported with each request that it leaves without an answer', async () => {
    answer = () => {}
    expect(await answerTo('GET')).toMatchObject({ status: 504 })
    expect(await answerTo('POST', 'a body')).toMatchObject({ status: 504 })
    answer = echo
    await answerTo('GET')
    expect(servers.outcomes).toEqual(['silent', 'silent', 'answered'])
    expect(servers.problems).toEqual(['silent', 'silent'])
  })

  it('is not, where its visitor is silent', async () => {
    answer = echo
    const socket = connect(edge.port, '127.0.0.1')
    const closed = untilClosed(socket)
    socket.write(`POST /x HTTP/1.1\r\nHost: ${site.host}\r\nContent-Length: 9\r\n\r\npart`)
    await until(() => servers.outcomes.length === 1)
    expect(servers.outcomes).toEqual([undefined])
    socket.destroy()
    await closed
  })
})

it('a server has no more than 64 connections at a time, and others wait', async () => {
  const patient = await startEdge({ servers, trustedProxies: ['127.0.0.1'] })
  let here = 0
  let most = 0
  const waiting: ServerResponse[] = []
  answer = (_req, res) => {
    here += 1
    most = Math.max(most, here)
    res.once('close', () => {
      here -= 1
    })
    waiting.push(res)
  }
  const answers = Array.from({ length: 80 }, (_, at) =>
    sendRequest(patient.port, site.host, '/x', { 'x-forwarded-for': `203.0.113.${at}` }),
  )
  await until(() => waiting.length === 64)
  answer = (_req, res) => {
    most = Math.max(most, here + 1)
    res.end()
  }
  for (const each of waiting) each.end()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  expect(most).toBe(64)
  await patient.close()
})

it('a server whose queue of connections is full gets them later', async () => {
  const patient = await startEdge({ servers })
  const path = `${own.path}-full`
  const program = `
    const server = require('node:http').createServer((_req, res) => res.end('late'))
    server.listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => {
      require('node:fs').writeSync(1, 'up')
      for (const end = Date.now() + 500; Date.now() < end; );
    })`
  const child: ChildProcess = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    if (child.stdout) await once(child.stdout, 'data')
    find = () => ({ path })
    const bodies = ['GET', 'POST', 'PUT', 'GET', 'GET', 'POST'].map((method) =>
      sendRequest(patient.port, site.host, '/x', {}, method),
    )
    for (const reply of await Promise.all(bodies)) expect(reply).toMatchObject({ status: 200, text: 'late' })
  } finally {
    child.kill()
    await patient.close()
  }
})
