/** What one address can take of the edge: look-ups of unknown hosts, and connections. */
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Principal } from '../../../src/platform/callers/principal.ts'
import { createLateRefusals } from '../../../src/platform/limits/late-refusals.ts'
import { createLookUp } from '../../../src/platform/limits/limit-look-ups.ts'
import { createMemoryLimiter } from '../../../src/platform/limits/memory-limiter.ts'
import { createSlots } from '../../../src/platform/limits/slots.ts'
import { limitGuesses } from '../../../src/roles/edge/authenticate.ts'
import { createSites } from '../../../src/roles/edge/sites.ts'
import { type Edge, newSite, startEdge } from './edge.ts'

const burst = 5
const rate = { perSecond: 1, burst }
/** A clock that stands still, so that no token is refilled. */
const now = () => 0

const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`
const madeUp = () => `x${randomBytes(6).toString('hex')}.localhost`
const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call))

type Visit = { from: string; headers?: Record<string, string>; method?: string }

/** The status of a request for a page of `host`. */
async function visit({ port }: Edge, host: string, { from, headers, method = 'GET' }: Visit) {
  const options = { port, host: '127.0.0.1', localAddress: from, agent: false, method }
  const sent = request({ ...options, headers: { host, ...headers } }).end()
  const [reply] = await once(sent, 'response')
  reply.resume()
  await once(reply, 'end')
  return { status: Number(reply.statusCode), retryAfter: reply.headers['retry-after'] }
}

async function liveSite(edge: Edge) {
  const site = await newSite(edge)
  await site.promote((await site.deploy({ 'index.html': 'home' })).id)
  return site
}

describe('made-up hosts', () => {
  let edge: Edge
  let loads = 0

  beforeAll(async () => {
    edge = await startEdge()
    const sites = createSites(edge.store, 0)
    await edge.close()
    const get = (host: string) => {
      loads += 1
      return sites.get(host)
    }
    edge = await startEdge({ sites: { ...sites, get }, lookUp: createLookUp(rate, now) })
  })

  afterAll(() => edge.close())

  it.each(['GET', 'POST'])(
    'of one address (%s) are looked up as often as its bucket has tokens',
    async (method) => {
      const from = newAddress()
      loads = 0
      const answers = await times(burst * 8, () => visit(edge, madeUp(), { from, method }))
      const expected = method === 'GET' ? 404 : 405
      const passed = answers.filter(({ status }) => status === expected)
      const refused = answers.filter(({ status }) => status === 429)
      expect([passed.length, refused.length]).toEqual([burst, burst * 7])
      expect(loads).toBe(burst)
      expect(refused[0]?.retryAfter).toBe('1')
    },
  )

  it('leave sites to other addresses, and those in use to the same one', async () => {
    const from = newAddress()
    const [known, other] = [await liveSite(edge), await liveSite(edge)]
    expect(await visit(edge, known.host, { from })).toMatchObject({ status: 200 })
    await times(burst * 2, () => visit(edge, madeUp(), { from }))
    expect(await visit(edge, known.host, { from })).toMatchObject({ status: 200 })
    expect(await visit(edge, other.host, { from })).toMatchObject({ status: 429 })
    expect(await visit(edge, other.host, { from: newAddress() })).toMatchObject({ status: 200 })
  })

  it('existing sites draw from no bucket', async () => {
    const from = newAddress()
    const sites = await times(burst * 2, () => liveSite(edge))
    const answers = await Promise.all(sites.map(({ host }) => visit(edge, host, { from })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

it('keys are checked at protected sites as often as the address’s bucket has tokens', async () => {
  const strangers = createMemoryLimiter(rate, now)
  const principals = new Map<string, Principal>()
  const find = async (authorization: string) => principals.get(authorization)
  const edge = await startEdge({ authenticate: limitGuesses(find, strangers) })
  onTestFinished(() => edge.close())
  const site = await liveSite(edge)
  await site.configure({ protection: 'all' })
  const from = newAddress()
  const answers = await times(burst * 2, () =>
    visit(edge, site.host, { from, headers: { authorization: `Bearer ${randomBytes(9).toString('hex')}` } }),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(burst)
  expect(statuses.filter((status) => status === 429)).toHaveLength(burst)
})

describe('an address that keeps requesting', () => {
  const connections = 20

  it('gets a refusal a second on each connection, while others and sites in use are served', async () => {
    const edge = await startEdge({ lookUp: createLookUp(rate, now), late: createLateRefusals(rate, { now }) })
    onTestFinished(() => edge.close())
    const { host } = await liveSite(edge)
    const from = newAddress()
    expect(await visit(edge, host, { from })).toMatchObject({ status: 200 })
    const answers: number[] = []
    let stopped = false
    const flood = times(connections, async () => {
      while (!stopped) answers.push((await visit(edge, madeUp(), { from })).status)
    })
    // Until all are held.
    await expect.poll(() => answers.length).toBeGreaterThanOrEqual(burst * 2)
    const startMs = performance.now()
    for (let visits = 0; visits < 20; visits += 1) {
      expect(await visit(edge, host, { from })).toMatchObject({ status: 200 })
      expect(await visit(edge, madeUp(), { from: newAddress() })).toMatchObject({ status: 404 })
    }
    await expect.poll(() => answers.length, { timeout: 5_000 }).toBeGreaterThan(burst * 2 + connections)
    stopped = true
    const seconds = (performance.now() - startMs) / 1_000
    await flood
    expect(answers.filter((status) => status === 404)).toHaveLength(burst)
    expect(answers.length).toBeLessThanOrEqual(burst * 2 + connections * (seconds / 0.95 + 2))
  })

  it('is disconnected with more than 256 held requests', async () => {
    const edge = await startEdge({ lookUp: createLookUp(rate, now), late: createLateRefusals(rate, { now }) })
    onTestFinished(() => edge.close())
    const from = newAddress()
    const received = Array.from({ length: 300 }, () => ({ text: '' }))
    const sockets = received.map((own) => {
      const socket = connect({ port: edge.port, host: '127.0.0.1', localAddress: from })
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {}).on('data', (chunk) => (own.text += chunk))
      socket.write(`GET / HTTP/1.1\r\nHost: ${madeUp()}\r\n\r\n`)
      return socket
    })
    // The first with which there are too many; the others wait on.
    await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    const statuses = () =>
      received
        .map(({ text }) => text)
        .join('\r\n')
        .match(/(?<=^HTTP\/1\.1 )\d+/gm) ?? []
    await expect.poll(() => statuses().filter((status) => status === '404').length).toBe(burst)
    // Sent before the rest was held.
    expect(statuses().length).toBeLessThanOrEqual(burst * 2)
  })
})

describe('connections', () => {
  const max = 4

  /** A connection over which a page can be requested; rejects when it is closed instead. */
  async function open({ port }: Edge, localAddress: string, host: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    onTestFinished(() => void socket.destroy())
    socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.once('data', () => resolve())
      socket.once('error', () => reject(new Error('closed')))
      socket.once('close', () => reject(new Error('closed')))
    })
    return socket
  }

  it('of one address are limited, and free again once some have ended', async () => {
    const edge = await startEdge({ connections: createSlots(max) })
    onTestFinished(() => edge.close())
    const { host } = await liveSite(edge)
    const from = newAddress()
    const sockets = await times(max, () => open(edge, from, host))
    await expect(open(edge, from, host)).rejects.toThrow('closed')
    await open(edge, newAddress(), host)
    const [first] = sockets
    first?.end()
    await once(first ?? sockets[1] ?? expect.unreachable(), 'close')
    await open(edge, from, host)
    await expect(open(edge, from, host)).rejects.toThrow('closed')
  })

  it('of a trusted proxy are unlimited, and each of its clients has its own bucket', async () => {
    const edge = await startEdge({
      connections: createSlots(max),
      trustedProxies: ['loopback'],
      lookUp: createLookUp(rate, now),
    })
    onTestFinished(() => edge.close())
    const from = newAddress()
    const sent = (client: string) => ({ from, headers: { 'x-forwarded-for': client } })
    const { host } = await liveSite(edge)
    await times(max * 2, () => open(edge, from, host))
    const ofOne = await times(burst * 2, () => visit(edge, madeUp(), sent('2001:db8::1')))
    expect(ofOne.filter(({ status }) => status === 429)).toHaveLength(burst)
    // The same customer's network.
    expect((await visit(edge, madeUp(), sent('2001:db8::ffff'))).status).toBe(429)
    expect((await visit(edge, madeUp(), sent('2001:db8:0:1::1'))).status).toBe(404)
  })
})
