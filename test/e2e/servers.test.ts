/**
 * A server on several nodes: each edge runs it once it is requested there, and says so until it is gone.
 * @module-tag long
 */
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createEmptyDatabase } from '../support/databases.ts'
import { until } from '../support/eventually.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startOnWhatIsThere, visit } from '../support/program.ts'
import { startS3 } from '../support/s3/server.ts'
import { settingsOf } from '../support/s3/settings.ts'
import { hasSandbox } from '../support/sandbox.ts'

const server = await postgresUrl()
const timeout = 120_000

/** Longer than the lease of what a node says of its servers. */
const leaseEnd = { limitMs: 60_000 }

const answerSchema = z.looseObject({ id: z.string(), state: z.string() })
const linesSchema = z.object({ data: z.array(z.object({ message: z.string() })) })
const rowsSchema = z.object({
  result: z.object({
    data: z.object({ data: z.array(z.object({ node: z.string(), state: z.string() })) }),
  }),
})

/** Answers with the number of its process and what it finds in its variables. */
const program = `
  const says = JSON.stringify({ start: process.hrtime.bigint().toString(), target: process.env.SVC_TARGET })
  require('node:http').createServer((_, response) => response.end(says)).listen(process.env.PORT)`

describe.runIf(server && (await hasSandbox()))('on several nodes', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let environment: Record<string, string>
  let main: Program
  let edges: [Program, Program]

  async function newNode(changes: Record<string, string>): Promise<Program> {
    const directory = await newDataDirectory()
    cleanUps.push(() => rm(directory, { recursive: true, force: true }))
    const node = await startOnWhatIsThere({ ...environment, SVC_DATA_DIR: directory, ...changes })
    cleanUps.push(() => node.end('SIGTERM'))
    return node
  }

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${main.key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(main.apiUrl + path, init)
    const answer = await response.json()
    expect(response.status, JSON.stringify(answer)).toBe(200)
    return answer
  }

  async function deploy(project: string, fields: object): Promise<z.infer<typeof answerSchema>> {
    await call('PUT', `/v1/projects/${project}`)
    const made = answerSchema.parse(
      await call('POST', '/v1/deployments', { project, target: 'production', ...fields }),
    )
    return until(async () => {
      const path = `/v1/deployments/${made.id}?wait_s=10`
      const answer = answerSchema.parse(await call('GET', path))
      expect(answer.state, JSON.stringify(answer)).not.toBe('error')
      return answer.state === 'ready' && answer
    }, leaseEnd)
  }

  const ps = async () => rowsSchema.parse(await call('GET', '/trpc/ps.list?input=%7B%7D')).result.data.data

  beforeAll(async () => {
    const database = await createEmptyDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    const s3 = await startS3()
    cleanUps.push(() => s3.close())
    environment = {
      DATABASE_URL: database.url,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...settingsOf(s3, 'servers'),
    }
    main = await newNode({ SVC_ROLES: 'api,worker', SVC_BUILD_NETWORK: 'none' })
    edges = [await newNode({ SVC_ROLES: 'edge' }), await newNode({ SVC_ROLES: 'edge' })]
    const files = [{ path: 'server.js', content: program }]
    await deploy('web', { files, build: { start: 'node server.js' } })
  }, timeout)

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  }, timeout)

  it('runs once on each edge that has a request for it', { timeout }, async () => {
    const answers = await Promise.all(
      [...edges, ...edges].map(async (edge) => JSON.parse((await visit(edge.siteUrl('web'))).text)),
    )
    expect(new Set(answers.map(({ start }) => start)).size).toBe(2)
    expect(new Set(answers.map(({ target }) => target))).toEqual(new Set(['production']))
    const rows = await until(async () => {
      const found = await ps()
      return found.filter(({ state }) => state === 'running').length === 2 && found
    })
    expect(new Set(rows.map(({ node }) => node)).size).toBe(2)
  })

  it('is refused with a sentence by an edge without the sandbox, which serves files', {
    timeout,
  }, async () => {
    const without = await newNode({ SVC_ROLES: 'edge', SVC_BUILD_SANDBOX: 'none' })
    const refused = await visit(without.siteUrl('web'))
    expect(refused.status).toBe(503)
    await until(async () => {
      const lines = linesSchema.parse(await call('GET', '/v1/logs?kind=runtime&project=web'))
      return lines.data.some(({ message }) => message.includes("Servers can't run without a sandbox"))
    })
    await deploy('files', { files: [{ path: 'index.html', content: 'files alone' }] })
    expect(await visit(without.siteUrl('files'))).toMatchObject({ status: 200, text: 'files alone' })
    await without.end('SIGTERM')
  })

  it('is gone from the list with a node that stands still, and back with it', { timeout }, async () => {
    edges[1].process.kill('SIGSTOP')
    try {
      await until(async () => (await ps()).length === 1, leaseEnd)
      expect((await visit(edges[0].siteUrl('web'))).status).toBe(200)
    } finally {
      edges[1].process.kill('SIGCONT')
    }
    await until(async () => (await ps()).length === 2, leaseEnd)
    expect((await visit(edges[1].siteUrl('web'))).status).toBe(200)
  })

  it('is gone from the list with a node that is killed, and at once with one that stops', {
    timeout,
  }, async () => {
    await edges[0].end('SIGTERM')
    expect(await ps()).toHaveLength(1)
    await edges[1].end('SIGKILL')
    await until(async () => (await ps()).length === 0, leaseEnd)
  })
})
