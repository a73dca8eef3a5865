import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { type Limits, type LimitsStore, openLimits } from '../../../src/platform/limits/open-limits.ts'
import { createOwnLimits } from '../../../src/platform/limits/own-limits.ts'
import { policyOf } from '../../../src/platform/limits/policy.ts'
import { startTcpProxy, type TcpProxy } from '../../api/server/tcp-proxy.ts'
import { busyFor } from '../../support/busy-for.ts'
import { until } from '../../support/eventually.ts'
import { keepLog } from '../../support/kept-logs.ts'
import { startUpstashServer } from '../../support/upstash-server.ts'

const url = inject('redis')

const rate = { perSecond: 1, burst: 10 }
const rates = {
  free: rate,
  pro: rate,
  enterprise: rate,
  session: rate,
  streams: rate,
  anonymous: rate,
  edge: rate,
  connections: 0,
}
const policies = {
  free: policyOf('free', rate),
  pro: policyOf('pro', rate),
  enterprise: policyOf('enterprise', rate),
  session: policyOf('session', rate),
  streams: policyOf('streams', rate),
  anonymous: policyOf('anonymous', rate),
}

let logged: string[]
const keep = keepLog('log')
const log = createLogger({
  write(line) {
    logged.push(line)
    keep(line)
  },
})

beforeEach(() => {
  logged = []
})

async function open(store: LimitsStore): Promise<Limits> {
  const limits = await openLimits({ policies, own: createOwnLimits(rates), store, log })
  onTestFinished(() => limits.close())
  return limits
}

/** Once Redis has answered, which a busy machine may need a second attempt for. */
async function openShared(store: LimitsStore): Promise<Limits> {
  const limits = await open(store)
  await becomes(limits, store.kind)
  logged = []
  return limits
}

const becomes = (limits: Limits, state: string) => until(() => limits.state() === state)

const draw = async (limits: Limits, id: string) => limits.of.free.limiter.draw(id, 1)

async function passing(limits: Limits, id: string, times: number): Promise<number> {
  const draws = await Promise.all(Array.from({ length: times }, () => draw(limits, id)))
  return draws.filter(({ allowed }) => allowed).length
}

const warnings = () => logged.filter((line) => JSON.parse(line).level === 40)

it('without Redis a node limits by itself, and every plan has a limit of its own', async () => {
  const limits = await open({ kind: 'memory' })
  expect(limits.state()).toBe('memory')
  const id = randomUUID()
  expect(await passing(limits, id, 15)).toBe(10)
  expect((await limits.of.pro.limiter.draw(id, 1)).allowed).toBe(true)
})

describe.runIf(url)('with a Redis', () => {
  /** A proxy to Redis that can be cut. */
  async function throughProxy(): Promise<{ proxy: TcpProxy; store: LimitsStore }> {
    const target = new URL(url ?? '')
    const proxy = await startTcpProxy(target.hostname, Number(target.port || 6379))
    onTestFinished(proxy.cut)
    target.host = `127.0.0.1:${proxy.port}`
    return { proxy, store: { kind: 'redis', url: target.href } }
  }

  it('nodes share their limits', async () => {
    const { store } = await throughProxy()
    const nodes = [await openShared(store), await openShared(store)]
    const id = randomUUID()
    const passed = await Promise.all(nodes.map((node) => passing(node, id, 9)))
    expect(passed[0] ?? 0).toBe(10 - (passed[1] ?? 0))
    expect(logged).toEqual([])
  })

  it('a draw is one round trip, allowed or not', async () => {
    const limits = await openShared({ kind: 'redis', url: url ?? '' })
    await draw(limits, randomUUID())
    const monitor = await new Redis(url ?? '').monitor()
    onTestFinished(() => monitor.disconnect())
    const id = randomUUID()
    const commands: string[] = []
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      // Commands within a script are no round trip.
      if (source !== 'lua' && args.some((arg) => arg.includes(id))) commands.push(args[0] ?? '')
    })
    expect(await passing(limits, id, 15)).toBe(10)
    await until(() => commands.length >= 15)
    expect(commands.map((name) => name.toLowerCase())).toEqual(Array(15).fill('evalsha'))
  })

  it.each<[string, (proxy: TcpProxy) => unknown, (proxy: TcpProxy) => unknown]>([
    ['refuses connections', (proxy) => proxy.cut(), (proxy) => proxy.restore()],
    ['hangs', (proxy) => proxy.hang(), (proxy) => proxy.resume()],
  ])(
    'while it %s the node limits by itself, quickly, logs it once, and shares again after',
    { tags: 'long' },
    async (_, leave, comeBack) => {
      const { proxy, store } = await throughProxy()
      const limits = await open(store)
      await draw(limits, randomUUID())
      await leave(proxy)

      const id = randomUUID()
      const startMs = performance.now()
      expect(await passing(limits, id, 25)).toBe(10)
      expect(performance.now() - startMs).toBeLessThan(1_000)
      expect(limits.state()).toBe('degraded')
      // No call is waiting any more.
      expect(limits.of.free.limiter.draw(id, 1)).not.toBeInstanceOf(Promise)
      // Tried in the background meanwhile, without success.
      await new Promise((resolve) => setTimeout(resolve, 1_600))
      expect(limits.state()).toBe('degraded')
      expect(warnings()).toHaveLength(1)
      expect(warnings()[0]).toContain('limits are per node')

      await comeBack(proxy)
      await becomes(limits, 'redis')
      expect(logged.at(-1)).toContain('shared again')
      const other = await open(store)
      const shared = randomUUID()
      expect((await passing(limits, shared, 6)) + (await passing(other, shared, 6))).toBe(10)
      expect(warnings()).toHaveLength(1)
    },
  )

  it('a node that was busy itself does not consider Redis unreachable', async () => {
    const { store } = await throughProxy()
    const limits = await openShared(store)
    const drawn = draw(limits, randomUUID())
    busyFor(600)
    expect((await drawn).allowed).toBe(true)
    expect(limits.state()).toBe('redis')
  })

  it('a node starts without it, and shares limits once it is there', async () => {
    const { proxy, store } = await throughProxy()
    await proxy.cut()
    const limits = await open(store)
    expect(limits.state()).toBe('degraded')
    expect(await passing(limits, randomUUID(), 15)).toBe(10)
    expect(warnings()).toHaveLength(1)
    await proxy.restore()
    await becomes(limits, 'redis')
  })

  it('a node starts while it hangs', { tags: 'long' }, async () => {
    const { proxy, store } = await throughProxy()
    proxy.hang()
    const limits = await open(store)
    expect(limits.state()).toBe('degraded')
    proxy.resume()
    await becomes(limits, 'redis')
  })

  it('at Upstash limits are shared; a wrong token makes them local, and is not revealed', async () => {
    const server = await startUpstashServer(url ?? '')
    onTestFinished(server.close)
    const store = { kind: 'upstash', url: server.url, token: server.token } as const
    const nodes = [await openShared(store), await openShared(store)]
    const id = randomUUID()
    const passed = await Promise.all(nodes.map((node) => passing(node, id, 9)))
    expect(passed.reduce((sum, each) => sum + each)).toBe(10)

    const refused = await open({ ...store, token: 'not-the-token' })
    expect(refused.state()).toBe('degraded')
    expect(await passing(refused, randomUUID(), 15)).toBe(10)
    expect(logged.join('')).not.toContain('not-the-token')
  })

  it('at Upstash too no call waits for one that hangs', async () => {
    const server = await startUpstashServer(url ?? '')
    onTestFinished(server.close)
    const proxy = await startTcpProxy('127.0.0.1', Number(new URL(server.url).port))
    onTestFinished(proxy.cut)
    const { token } = server
    const limits = await openShared({ kind: 'upstash', url: `http://127.0.0.1:${proxy.port}`, token })
    proxy.hang()
    const startMs = performance.now()
    expect(await passing(limits, randomUUID(), 25)).toBe(10)
    expect(performance.now() - startMs).toBeLessThan(1_000)
    expect(limits.state()).toBe('degraded')
    proxy.resume()
    await becomes(limits, 'upstash')
  })
})

it.each<LimitsStore>([
  { kind: 'redis', url: 'redis://:secret@127.0.0.1:1' },
  { kind: 'upstash', url: 'http://127.0.0.1:1', token: 'secret' },
])('where nothing listens the node limits by itself, and the log has no password: $kind', async (store) => {
  const limits = await open(store)
  expect(limits.state()).toBe('degraded')
  expect(await passing(limits, randomUUID(), 15)).toBe(10)
  expect(logged.join('')).not.toContain('secret')
})
