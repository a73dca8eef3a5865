/** The settings that limit what one address takes of a node's edge. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { until } from '../../support/eventually.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'

const most = { lookUps: 5, connections: 10 }

let node: TestNode

beforeAll(async () => {
  node = await startTestNode({
    SVC_RATE_EDGE: `1/${most.lookUps}`,
    SVC_EDGE_CONNECTIONS: String(most.connections),
  })
})

afterAll(() => node.stop())

/** A request for an unknown site, on a connection of its own from `localAddress`. */
function sendRequest(localAddress: string): ClientRequest {
  const { port, host } = new URL(node.sitesUrl)
  const headers = { host: `x${randomInt(1_000_000)}.${host}` }
  return request({ host: '127.0.0.1', port, localAddress, headers, agent: false }).end()
}

const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`

it('SVC_RATE_EDGE: how many unknown sites it may request', { tags: 'long' }, async () => {
  const from = newAddress()
  const statuses: number[] = []
  const startMs = performance.now()
  for (let requests = 0; requests < 20; requests += 1) {
    const [response] = await once(sendRequest(from), 'response')
    statuses.push(response.statusCode)
    await once(response.resume(), 'close')
  }
  const seconds = Math.ceil((performance.now() - startMs) / 1_000)
  const found = statuses.filter((status) => status === 404)
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
  expect(found.length).toBeGreaterThanOrEqual(most.lookUps)
  expect(found.length).toBeLessThan(most.lookUps + seconds)
})

it('SVC_EDGE_CONNECTIONS: how many connections it may have open', async () => {
  const from = newAddress()
  const { port } = new URL(node.sitesUrl)
  const options = { host: '127.0.0.1', port: Number(port), localAddress: from }
  const open = Array.from({ length: most.connections }, () => connect(options))
  onTestFinished(() => {
    for (const each of open) each.destroy()
  })
  await Promise.all(open.map((each) => once(each, 'connect')))
  await expect(once(sendRequest(from), 'response')).rejects.toThrow()
  const lines = () => node.logged.filter((line) => line.includes('SVC_EDGE_CONNECTIONS'))
  await until(() => lines().length > 0)
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ target: 'sites', address: from, cut_of_address: 1 })
})
