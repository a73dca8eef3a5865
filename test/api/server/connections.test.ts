import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { connectRaw, exchange, head, type RawConnection } from './raw-http.ts'

let node: TestNode
let auth: string
let deployment: string
let connection: RawConnection
const warnings: string[] = []
const warn = (warning: Error) => void warnings.push(warning.message)

beforeAll(async () => {
  node = await sharedNode()
  const team = await newTeam(node)
  auth = `Authorization: Bearer ${team.ownerKey}`
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const { body } = await team.owner('POST', '/v1/deployments', {
    project,
    files: [{ path: 'a', content: 'a' }],
  })
  deployment = body.id
  connection = await connectRaw(node)
  process.on('warning', warn)
})

afterAll(() => {
  process.off('warning', warn)
  connection.socket.destroy()
})

async function repeat(count: number, bytes: string): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (let i = 0; i < count; i += 1) {
    connection.send(bytes)
    statuses.add((await connection.answer()).status)
  }
  // Warnings are emitted in the next turn.
  await new Promise(setImmediate)
  return statuses
}

it('one connection serves any number of requests without leaking', async () => {
  const path = `/v1/deployments/${deployment}?wait_s=1`
  expect(await repeat(50, head(`GET ${path}`, auth))).toEqual(new Set([200]))
  expect(warnings).toEqual([])
})

it('a connection survives refused requests whose bodies come late', async () => {
  expect(await repeat(50, `${head('POST /v1/deployments', 'Content-Length: 2')}{}`)).toEqual(new Set([401]))
  expect(warnings).toEqual([])
})

it('many concurrent waiting calls cause no warning', async () => {
  const { db } = node.installation.store
  await db.update(deployments).set({ state: 'queued' }).where(eq(deployments.id, deployment))
  const bytes = head(`GET /v1/deployments/${deployment}?wait_s=1`, auth)
  const answers = await Promise.all(Array.from({ length: 30 }, () => exchange(node, bytes)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})

it('a client that has sent everything may half-close, and still gets its response', async () => {
  const { hostname, port } = new URL(node.apiUrl)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.end(head('GET /v1/projects', auth))
  let received = ''
  for await (const chunk of socket) received += chunk
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

it('a client that disconnects before its requests are read causes no error in the log', async () => {
  const startMs = Date.now()
  const requests = head('GET /v1/projects', auth).repeat(3) + head('GET /nothing') + head('GET /healthz')
  for (let i = 0; i < 200; i += 1) {
    const other = await connectRaw(node)
    other.send(requests)
    if (i % 2 === 0) await new Promise((resolve) => setImmediate(resolve))
    other.socket.resetAndDestroy()
  }
  expect((await exchange(node, head('GET /healthz'))).status).toBe(200)
  const lines = node.logged.map((line) => JSON.parse(line))
  // Recurring tasks look at the rows of other tests, too.
  const found = lines.filter(({ level, time, task }) => level >= 50 && time >= startMs && task === undefined)
  expect(found).toEqual([])
})
