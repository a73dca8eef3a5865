/**
 * A database that keeps its connections open but does not respond, or late.
 * @module-tag long
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { Answer } from '../../support/api.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { describeWhileAway } from './while-away.ts'

describeWhileAway({
  what: 'does not respond',
  lose: (proxy) => proxy.hang(),
  detail: 'DATABASE_SILENT',
})

describe.runIf(process.env.TEST_ON)('a node behind a slow network', () => {
  let one: TestNode
  let proxy: TcpProxy
  let node: TestNode
  let team: TestTeam

  beforeAll(async () => {
    one = await startOwnNode()
    const url = new URL(String(one.settings.DATABASE_URL))
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    node = await startTestNode({
      DATABASE_URL: url.href,
      SVC_ROLES: 'api,edge',
      SVC_DATABASE_CONNECTIONS: '4',
    })
    team = await newTeam(node)
  })

  afterAll(async () => {
    proxy.resume()
    await node.stop()
    await one.stop()
    await proxy.cut()
  })

  it('works, only slower, with 200 ms of latency', async () => {
    proxy.delay(100)
    const { url } = await deploy(team, { project: unique('slow'), target: 'production' })
    expect((await visit(url)).body).toBe('hello')
    expect((await team.owner('GET', '/v1/projects')).status).toBe(200)
    proxy.delay(0)
  })

  it('answers 503 to changes without an answer; each takes effect once when repeated', async () => {
    const headers = Array.from({ length: 6 }, () => ({ 'idempotency-key': randomUUID() }))
    const names = headers.map(() => unique('key'))
    const create = (index: number): Promise<Answer> =>
      team.owner('POST', '/v1/apikeys', { name: names[index] }, headers[index])
    const statuses = new Set<number>()
    for (let first = 0; first < names.length; first += 3) {
      const calls = [first, first + 1, first + 2].map(create)
      await sleep(Math.random() * 15)
      proxy.hang()
      const startMs = performance.now()
      for (const { status } of await Promise.all(calls)) statuses.add(status)
      expect(performance.now() - startMs).toBeLessThan(8_000)
      proxy.resume()
      await expect
        .poll(async () => (await team.owner('GET', '/v1/overview')).status, { timeout: 5_000 })
        .toBe(200)
    }
    expect(statuses).toContain(503)
    expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([])
    // What was left unfinished may be taken over by then.
    node.clock.aheadMs = 61_000
    for (const index of names.keys()) expect((await create(index)).status).toBe(200)
    const { body } = await team.owner('GET', '/v1/apikeys?limit=100')
    const made = body.data
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => names.includes(name))
    expect(made.toSorted()).toEqual(names.toSorted())
  })

  it('does without a single connection that is dead while others live', async () => {
    const statuses: number[] = []
    await Promise.all([1, 2, 3, 4].map(() => team.owner('PUT', `/v1/projects/${unique('p')}`)))
    expect(proxy.silence('insert into "projects"')).toBeGreaterThan(0)
    const startMs = performance.now()
    while (performance.now() - startMs < 15_000) {
      statuses.push((await team.owner('PUT', `/v1/projects/${unique('p')}`)).status)
      if (performance.now() - startMs > 10_000 && statuses.at(-1) === 200) break
    }
    expect(statuses.filter((status) => status === 503).length).toBeLessThan(8)
    expect(statuses.at(-1)).toBe(200)
  })
})
