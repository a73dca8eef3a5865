/**
 * A node's metrics for operators: every part of it, bounded however many anonymous clients there are, on no
 * public port.
 */
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { version } from '../../../../src/lib/version.ts'
import { alertNames } from '../../../../src/platform/observability/alerts/alert.ts'
import { createDnsSeries } from '../../../../src/roles/internal/metrics/dns-series.ts'
import { connectionStates } from '../../../../src/stores/db/connections.ts'
import { startTcpProxy } from '../../../api/server/tcp-proxy.ts'
import { deployBuild, startBuildNodes, whenEnded } from '../../../platform/builds/build-node.ts'
import { type Receiver, startReceiver } from '../../../platform/webhooks/receiver.ts'
import { claim } from '../../../support/claims.ts'
import { until } from '../../../support/eventually.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../../support/node.ts'
import { isShort } from '../../../support/short.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { sendRequest } from '../../edge/client.ts'
import { byUdp, query, queryUdp as queryDns, queryTcp } from '../../nameserver/client.ts'
import { addRecords } from '../../nameserver/records.ts'
import { growth, scrape } from './scrape.ts'

const database = process.env.TEST_ON ? inject('database') : undefined

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes({
    SVC_BUILD_SANDBOX: 'none',
    SVC_DNS_PORT: '0',
    SVC_DNS_RATE: '20',
    SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
  })
  node = nodes.node
  team = await newTeam(node)
})

afterAll(() => nodes.stop())

describe('reports', () => {
  it('the node', async () => {
    const { value, families } = await scrape(node)
    expect(value('svc_build_info', { version, node: process.version })).toBe(1)
    for (const role of ['api', 'edge', 'worker', 'dns']) expect(value('svc_role_info', { role })).toBe(1)
    expect(value('svc_rate_limits_degraded')).toBe(0)
    expect(value('svc_data_free_bytes')).toBeLessThan(value('svc_data_size_bytes') ?? 0)
    expect(value('svc_data_free_ratio')).toBeLessThan(1)
    for (const alert of alertNames) expect(value('svc_alerts', { alert }), alert).toBeDefined()
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ]) {
      expect(families.get(name)?.samples.length).toBeGreaterThan(0)
    }
  })

  it('the database, and its queues', async () => {
    const { value } = await scrape(node)
    expect(value('svc_store_up')).toBe(1)
    expect(value('svc_store_answer_seconds')).toBeGreaterThan(0)
    if (database) expect(value('svc_store_connections', { state: 'active' })).toBeGreaterThan(0)
    else expect(value('svc_store_connections')).toBeUndefined()
    const states = database ? connectionStates : []
    for (const state of states) expect(value('svc_store_connections', { state }), state).toBeDefined()
    for (const queue of ['builds', 'deliveries', 'domain_checks', 'compressions']) {
      expect(value('svc_queue_waiting', { queue })).toBeGreaterThanOrEqual(0)
      expect(value('svc_queue_oldest_seconds', { queue })).toBeGreaterThanOrEqual(0)
    }
    expect(value('svc_blobs')).toBeGreaterThanOrEqual(0)
    expect(value('svc_blob_bytes')).toBeGreaterThanOrEqual(0)
  })

  it('builds and their results', { timeout: 120_000 }, async () => {
    const before = await scrape(node)
    const good = await deployBuild(team, 'mkdir dist && cp page.txt dist/index.html')
    const bad = await deployBuild(team, 'exit 1')
    expect((await whenEnded(team, good.id)).state).toBe('ready')
    expect((await whenEnded(team, bad.id)).state).toBe('error')
    const grownOf = async () => growth(before, await scrape(node))
    await expect.poll(async () => (await grownOf())('svc_builds_total')).toBe(2)
    const grown = await grownOf()
    expect(grown('svc_builds_total', { outcome: 'ready' })).toBe(1)
    expect(grown('svc_builds_total', { outcome: 'build_failed' })).toBe(1)
    expect(grown('svc_build_duration_seconds_count')).toBe(2)
  })

  it('delivery attempts', { tags: 'long' }, async () => {
    const receiver: Receiver = await startReceiver()
    const before = await scrape(node)
    const events = ['project.created']
    await team.owner('POST', '/v1/webhooks', { url: receiver.url, events })
    const grownOf = async () => growth(before, await scrape(node))
    const attempts = (outcome: string) => async () =>
      (await grownOf())('svc_webhook_attempts_total', { outcome })
    await expect.poll(attempts('delivered'), { timeout: 10_000 }).toBe(1)
    receiver.answer = 500
    await team.owner('PUT', `/v1/projects/${unique('site')}`)
    await expect.poll(attempts('retried'), { timeout: 10_000 }).toBe(1)
    expect((await grownOf())('svc_webhook_attempt_duration_seconds_count')).toBe(2)
    const pending = async () => (await scrape(node)).value('svc_webhook_deliveries_pending')
    await expect.poll(pending, { timeout: 10_000 }).toBe(1)
    await receiver.close()
  })

  it('DNS responses by transport and response code, and the rate limit’s decisions', async () => {
    const top = `${unique('dns')}.com`
    const id = await claim(node, team, top, { proven: true })
    await addRecords(node, id, [{ fqdn: top, type: 'A', value: '192.0.2.1' }])
    const port = node.dnsPort ?? 0
    const before = await scrape(node)
    await queryDns(port, top, 'A')
    await queryDns(port, `no.${top}`, 'A')
    await queryDns(port, 'example.org', 'A')
    await queryTcp(port, top, 'A')
    await byUdp(port, query(top, 'A', { opcode: 'UPDATE', flags: 5 << 11 } as object))
    await Promise.all(Array.from({ length: 60 }, () => byUdp(port, query(top, 'A'), 300)))
    const grown = growth(before, await scrape(node))
    const answers = (transport: string, rcode: string) => grown('svc_dns_answers_total', { transport, rcode })
    expect(answers('udp', 'NXDOMAIN')).toBe(1)
    expect(answers('udp', 'REFUSED')).toBe(1)
    expect(answers('udp', 'NOTIMP')).toBe(1)
    expect(answers('tcp', 'NOERROR')).toBe(1)
    const [sent, truncated, dropped] = [
      answers('udp', 'NOERROR'),
      grown('svc_dns_limited_total', { verdict: 'truncate' }),
      grown('svc_dns_limited_total', { verdict: 'drop' }),
    ]
    expect(sent + truncated + dropped).toBe(61)
    expect(Math.abs(truncated - dropped)).toBeLessThanOrEqual(1)
    expect(dropped).toBeGreaterThan(10)
  })

  it('caches', async () => {
    const before = await scrape(node)
    for (let i = 0; i < 5; i += 1) await team.owner('GET', '/v1/projects')
    const host = `${unique('nobody')}.localhost`
    await sendRequest(Number(new URL(node.sitesUrl).port), host, '/')
    await sendRequest(Number(new URL(node.sitesUrl).port), host, '/')
    const after = await scrape(node)
    const grown = growth(before, after)
    expect(grown('svc_cache_hits_total', { cache: 'keys' })).toBeGreaterThanOrEqual(4)
    expect(grown('svc_cache_misses_total', { cache: 'sites' })).toBe(1)
    expect(grown('svc_cache_hits_total', { cache: 'sites' })).toBeGreaterThanOrEqual(1)
    expect(after.value('svc_cache_entries', { cache: 'sites' })).toBeGreaterThanOrEqual(1)
  })
})

it('the age of the oldest queued job when no worker takes it', { tags: 'long' }, async () => {
  const idle = await startBuildNodes({ SVC_ROLES: 'api' })
  const { node: own } = idle
  const owner = await newTeam(own)
  expect((await scrape(own)).value('svc_queue_waiting', { queue: 'builds' })).toBe(0)
  await deployBuild(owner, 'true')
  await deployBuild(owner, 'true')
  own.clock.aheadMs = 90_000
  const waiting = async () => (await scrape(own)).value('svc_queue_waiting', { queue: 'builds' })
  await expect.poll(waiting, { timeout: 10_000, interval: 200 }).toBe(2)
  const { value } = await scrape(own)
  expect(value('svc_queue_oldest_seconds', { queue: 'builds' })).toBeGreaterThanOrEqual(90)
  expect(value('svc_queue_oldest_seconds', { queue: 'builds' })).toBeLessThan(150)
  expect(value('svc_queue_oldest_seconds', { queue: 'deliveries' })).toBe(0)
  expect(value('svc_builds_running')).toBe(0)
  await idle.stop()
})

describe('many anonymous clients', () => {
  /** Each calls the API twice and the edge once. */
  const many = isShort ? 400 : 3_400

  it('add no series: neither for their hosts and paths, nor for their DNS queries', async () => {
    const strangers = await startTestNode({ SVC_DNS_PORT: '0', SVC_DNS_RATE: '0' })
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const get = (port: number, host: string, path: string, method: string) =>
      new Promise<void>((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path, method, agent, headers: { host } }, (answer) =>
          answer.resume().on('end', resolve),
        )
        sent.on('error', reject).end()
      })
    const [api, edge] = [strangers.apiUrl, strangers.sitesUrl].map((url) => Number(new URL(url).port))
    const methods = ['GET', 'POST', 'PURGE', 'PROPFIND', 'M-SEARCH', 'LINK', 'DELETE']
    const requestAll = async (from: number, to: number) => {
      for (let at = from; at < to; at += 50) {
        const each = Array.from({ length: Math.min(50, to - at) }, (_, i) => at + i)
        await Promise.all(
          each.flatMap((i) => {
            const method = methods[i % methods.length] ?? 'GET'
            return [
              get(api ?? 0, `h${i}.example.com`, `/v1/p${i}/${i}`, method),
              get(api ?? 0, 'localhost', `/trpc/p${i}.get,q${i}.put`, 'GET'),
              get(edge ?? 0, `h${i}.example.com`, `/${i}`, method),
            ]
          }),
        )
        await Promise.all(each.slice(0, 5).map((i) => byUdp(strangers.dnsPort ?? 0, query(`n${i}.org`, 'A'))))
      }
    }
    await requestAll(0, 50)
    const series = async () => {
      const { families } = await scrape(strangers)
      const own = [...families.values()].filter(({ name }) => name.startsWith('svc_'))
      return own.flatMap(({ samples }) =>
        samples.map(({ name, labels }) => `${name}${JSON.stringify(labels)}`),
      )
    }
    // With those of the database, each of which is left out while its query takes long.
    const ofDatabase = ['svc_blobs{}', 'svc_store_answer_seconds{}', 'svc_certificates{"state":"active"}']
    const before = await until(async () => {
      const found = await series()
      return ofDatabase.every((each) => found.includes(each)) && found
    })
    await requestAll(50, many)
    const added = (await series()).filter((each) => !before.includes(each))
    // A busy machine has a new outcome now and then, or a recurring task its first failure: a handful.
    expect(added.length, added.join('\n')).toBeLessThan(10)
    expect(added.filter((each) => /example|\.org|\/|[pqhn]\d/.test(each))).toEqual([])
    expect(
      (await scrape(strangers)).value('svc_api_requests_total', { operation: 'none' }),
    ).toBeGreaterThanOrEqual(many)
    agent.destroy()
    await strangers.stop()
  }, 120_000)

  it('an unknown response code is counted as other', () => {
    const { observe, series } = createDnsSeries()
    for (let rcode = 6; rcode < 12; rcode += 1) observe.answered('udp', rcode)
    const [answers] = series
    const labels = answers?.type === 'counter' ? answers.read() : []
    expect(new Set((Array.isArray(labels) ? labels : []).map(({ labels }) => labels.rcode))).toEqual(
      new Set(['other']),
    )
  })
})

describe.runIf(database)('while PostgreSQL is away', () => {
  it('reports it within two seconds, without series from the database, and all of them again afterwards', {
    tags: 'long',
  }, async () => {
    const url = new URL(database ?? '')
    const proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    const own = await startTestNode({ DATABASE_URL: url.href })
    expect((await scrape(own)).value('svc_store_up')).toBe(1)
    await proxy.cut()
    while ((await fetch(`${own.apiUrl}/readyz`)).status !== 503);
    const up = async () => (await scrape(own)).value('svc_store_up')
    await expect.poll(up, { timeout: 10_000 }).toBe(0)
    const startMs = performance.now()
    const { value } = await scrape(own)
    expect(performance.now() - startMs).toBeLessThan(4_000)
    expect(value('svc_queue_waiting')).toBeUndefined()
    expect(value('svc_store_connections')).toBeUndefined()
    expect(value('svc_api_requests_total', { operation: 'health' })).toBeGreaterThan(0)
    await proxy.restore()
    await expect.poll(up, { timeout: 10_000 }).toBe(1)
    expect((await scrape(own)).value('svc_queue_waiting', { queue: 'builds' })).toBeGreaterThanOrEqual(0)
    await own.stop()
    await proxy.cut()
  })
})

describe('a public port has no /metrics', () => {
  it('that of the API', async () => {
    expect((await fetch(`${node.apiUrl}/metrics`)).status).toBe(404)
  })

  it('that of the sites', async () => {
    for (const host of ['localhost', 'web.localhost', 'example.com', '127.0.0.1']) {
      expect((await sendRequest(Number(new URL(node.sitesUrl).port), host, '/metrics')).status).toBe(404)
    }
  })
})

it('two nodes in one process count separately', async () => {
  const other = await sharedNode()
  const before = await scrape(other)
  await team.owner('GET', '/v1/projects')
  const grown = growth(before, await scrape(other))
  expect(grown('svc_api_requests_total', { operation: 'projects.list' })).toBe(0)
})
