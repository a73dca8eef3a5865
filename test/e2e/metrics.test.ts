/**
 * A process is killed under load: only requests of its last second are missing from the metrics.
 * @module-tag long
 */
import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDatabase } from '../support/databases.ts'
import { until } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'

const server = await postgresUrl()
const connections = 8
const content = 'x'.repeat(1_000)

const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

async function newDirectory(): Promise<string> {
  const directory = await newDataDirectory()
  cleanUps.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function call(program: Program, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(program.apiUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return response.json()
}

async function deploy(program: Program, key: string): Promise<void> {
  await call(program, key, 'PUT', '/v1/projects/web')
  const files = [{ path: 'index.html', content }]
  await call(program, key, 'POST', '/v1/deployments', { project: 'web', target: 'production', files })
}

/**
 * Visits the site on some connections until it is stopped, or the program is gone; returns the number of
 * responses.
 */
function startLoad(program: Program): { stop(): Promise<number> } {
  const { hostname, port } = new URL(program.siteUrl('web'))
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let answers = 0
  let isStopped = false
  const visitOnce = () =>
    new Promise<void>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/', agent, headers: { host: `${hostname}:${port}` } }
      request(options, (response) => {
        response.resume().once('error', reject)
        response.once('end', () => {
          if (response.statusCode === 200) answers += 1
          resolve()
        })
      })
        .once('error', reject)
        .end()
    })
  const visitAll = async () => {
    while (!isStopped) {
      await visitOnce()
      await wait(2)
    }
  }
  const visitors = Array.from({ length: connections }, () => visitAll().catch(() => {}))
  return {
    async stop() {
      isStopped = true
      await Promise.all(visitors)
      agent.destroy()
      return answers
    },
  }
}

/** The number of visits that the program's metrics report. */
async function answeredBy(internalPort: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text()
  const counts = text.matchAll(/^svc_edge_requests_total\{.*status="2xx".*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/**
 * Kills the program, and resolves to the number of its responses a second before; all of these must survive.
 */
async function killASecondLater(program: Program, internalPort: string): Promise<number> {
  const answered = await until(async () => {
    const count = await answeredBy(internalPort)
    return count > 100 && count
  })
  await wait(1_000)
  await program.end('SIGKILL')
  return answered
}

const metricsSchema = z.object({ points: z.array(z.tuple([z.number(), z.number()])) })

async function total(program: Program, key: string, metric: string): Promise<number> {
  const answer = await call(program, key, 'GET', `/v1/metrics?metric=${metric}&project=web`)
  return metricsSchema.parse(answer).points.reduce((sum, [, value]) => sum + value, 0)
}

it('on the embedded database, after kill -9 and after a stop', async () => {
  const internalPort = await freePort()
  const environment = { SVC_DATA_DIR: await newDirectory(), SVC_INTERNAL_PORT: internalPort }
  let program = await startProgram(environment)
  const key = program.key ?? ''
  await deploy(program, key)
  let load = startLoad(program)
  const settled = await killASecondLater(program, internalPort)
  const first = await load.stop()
  program = await startProgram(environment)
  load = startLoad(program)
  await wait(300)
  const second = await load.stop()
  await program.end('SIGTERM')

  program = await startProgram(environment)
  const requests = await total(program, key, 'requests')
  expect(requests).toBeGreaterThanOrEqual(settled + second)
  expect(requests).toBeLessThanOrEqual(first + second + connections)
  expect(await total(program, key, 'bytes')).toBe(requests * content.length)
  expect(await total(program, key, 'errors')).toBe(0)
  const overview = await call(program, key, 'GET', '/v1/overview')
  expect(overview).toMatchObject({
    requests_24h: requests,
    bytes_24h: requests * content.length,
    errors_24h: 0,
  })
  await program.end('SIGTERM')
}, 60_000)

describe.runIf(server)('on PostgreSQL', () => {
  it('sums up the visits of two nodes, one of which is killed', async () => {
    const database = await createDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    const shared = { DATABASE_URL: database.url, SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }
    const blobs = await newDirectory()
    const internalPort = await freePort()
    const own = { SVC_DATA_DIR: blobs, SVC_INTERNAL_PORT: internalPort }
    const killed = await startProgram({ ...shared, ...own })
    const key = killed.key ?? ''
    await deploy(killed, key)
    const firstLoad = startLoad(killed)
    const settled = await killASecondLater(killed, internalPort)
    const first = await firstLoad.stop()
    const nodes = await Promise.all(
      [blobs, await newDirectory()].map((directory) => startProgram({ ...shared, SVC_DATA_DIR: directory })),
    )
    const [filled, empty] = nodes
    if (!filled || !empty) throw new Error('No node started.')
    const load = startLoad(filled)
    await wait(500)
    const second = await load.stop()
    // It has no files of its own, so its responses are errors.
    const errors = await Promise.all([1, 2, 3].map(() => visit(empty.siteUrl('web'))))
    expect(errors.map(({ status }) => status)).toEqual([500, 500, 500])
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))

    const reader = await startProgram({ ...shared, SVC_DATA_DIR: blobs })
    const requests = await total(reader, key, 'requests')
    expect(requests).toBeGreaterThanOrEqual(settled + second + errors.length)
    expect(requests).toBeLessThanOrEqual(first + second + errors.length + connections)
    expect(await total(reader, key, 'errors')).toBe(errors.length)
    await reader.end('SIGTERM')
  }, 60_000)
})
