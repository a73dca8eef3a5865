/** The responses to an address that keeps sending requests far beyond its limit. */
import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newToken } from '../../../src/platform/callers/token.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTlsNode, type TlsNode } from '../../support/tls.ts'
import { sendRequest } from './http2-client.ts'
import { head } from './raw-http.ts'

const burst = 5
const connections = 20

let node: TlsNode
let team: TestTeam

beforeAll(async () => {
  node = await startTlsNode({ SVC_RATE_ANONYMOUS: `1/${burst}` })
  team = await newTeam(node)
  return () => node.stop()
})

/** An address of this machine that no other test calls from. */
const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`

const agents: Agent[] = []
afterAll(() => {
  for (const agent of agents) agent.destroy()
})

/** Calls over connections that stay open. */
function callerFrom(localAddress: string): (token: string) => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  agents.push(agent)
  const { hostname: host, port } = new URL(node.apiUrl)
  return (token) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const options = { host, port, path: '/v1/projects', headers, localAddress, agent }
      const sent = request(options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      sent.once('error', reject).end()
    })
}

it('one refusal a second on each connection; valid keys pass, others are refused at once', async () => {
  const address = newAddress()
  const [flooding, withKey] = [callerFrom(address), callerFrom(address)]
  expect(await withKey(team.ownerKey)).toBe(200)
  const startMs = performance.now()
  const statuses: number[] = []
  let stopped = false
  const flood = Array.from({ length: connections }, async () => {
    while (!stopped) statuses.push(await flooding(newToken()))
  })
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(burst * 2)
  for (let calls = 0; calls < 20; calls += 1) {
    expect(await withKey(team.ownerKey)).toBe(200)
    expect(await callerFrom(newAddress())(newToken())).toBe(401)
  }
  await expect.poll(() => statuses.length, { timeout: 5_000 }).toBeGreaterThan(burst * 2 + connections)
  stopped = true
  const seconds = (performance.now() - startMs) / 1_000
  await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  // Tokens are refilled in both buckets meanwhile.
  const prompt = 2 * (burst + seconds)
  expect(statuses.length).toBeLessThanOrEqual(prompt + connections * (seconds / 0.95 + 2))
})

it('a closed connection with more than 256 held requests', async () => {
  const { hostname: host, port } = new URL(node.apiUrl)
  const localAddress = newAddress()
  const received = Array.from({ length: 300 }, () => ({ text: '' }))
  const sockets = received.map((own) => {
    const socket = connect({ host, port: Number(port), localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {}).on('data', (chunk) => (own.text += chunk))
    socket.write(head('GET /v1/projects'))
    return socket
  })
  // The first with which there are too many; the others wait on.
  await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  const statuses =
    received
      .map(({ text }) => text)
      .join('')
      .match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
  expect(statuses).toContain('401')
  expect(statuses.length).toBeLessThan(4 * burst)
})

it('closed streams of HTTP/2 with more than 256', async () => {
  const localAddress = newAddress()
  const answers = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { apiUrl, ca } = node.secure
      const { hostname: host, port } = new URL(apiUrl)
      const createConnection = () =>
        connectTls({
          socket: connect({ host, port: Number(port), localAddress }),
          servername: host,
          ca,
          ALPNProtocols: ['h2'],
        })
      const session = connectHttp2(apiUrl, { createConnection })
      onTestFinished(() => session.destroy())
      return Promise.all(Array.from({ length: 100 }, () => sendRequest(session, { ':path': '/v1/projects' })))
    }),
  )
  const statuses = answers.flat().map(({ status }) => status)
  const closed = answers.flat().filter(({ reset }) => reset === 11)
  expect(closed.length).toBeGreaterThan(20)
  expect(statuses.filter((status) => status === 0)).toHaveLength(closed.length)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(2 * burst)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(256)
})
