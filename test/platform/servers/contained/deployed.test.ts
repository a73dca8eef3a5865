/** A node that runs the servers of deployments: from a visitor's request to the program, and back. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listTree } from '../../../../src/platform/sandbox/process-tree.ts'
import { deployments, projects } from '../../../../src/stores/db/schema/projects.ts'
import { servers } from '../../../../src/stores/db/schema/servers.ts'
import { until } from '../../../support/eventually.ts'
import { startTestNode, type TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
import { deployAsServer } from '../deploy-as-server.ts'
import { testTimeout } from '../server.ts'

vi.setConfig({ testTimeout })

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge' })
  team = await newTeam(node)
})
afterAll(() => node?.stop())

/** Answers with what its path is of its environment. */
const program = `
  const { createServer } = require('node:http')
  const answers = { pid: process.pid, start: Math.random(), ...process.env }
  createServer((request, response) => {
    if (request.url === '/exit') process.exit(3)
    console.log('visited ' + request.url)
    response.end(String(answers[request.url.slice(1)]))
  }).listen(process.env.PORT)`

const deployServer = (fields: Record<string, unknown> = {}, content = program) =>
  deployAsServer(node, team, { content, ...fields })

const linesOf = async (deployment: string) => {
  const { body } = await team.owner('GET', `/v1/logs?kind=runtime&deployment=${deployment}&order=asc`)
  return body.data.map(({ message }: { message: string }) => message)
}

describe('a deployment with a server', () => {
  it('is started by its first visitor, and answers with its variables and facts', async () => {
    const env = [{ key: 'GREETING', value: 'a greeting', target: ['preview'] }]
    await team.owner('PUT', '/v1/projects/facts', { env })
    const { id, url } = await deployServer({ project: 'facts', target: 'preview' })
    expect(await visit(url, '/GREETING')).toEqual({ status: 200, body: 'a greeting' })
    expect((await visit(url, '/SVC_DEPLOYMENT_ID')).body).toBe(id)
    expect((await visit(url, '/SVC_TARGET')).body).toBe('preview')
    expect((await visit(url, '/SVC_URL')).body).toBe(url)
    await until(async () => (await linesOf(id)).includes('visited /GREETING'))
  })

  it('gets no variables where somebody outside the team wrote it', async () => {
    const env = [{ key: 'GREETING', value: 'a greeting' }]
    await team.owner('PUT', '/v1/projects/forked', { env })
    const { id, url } = await deployServer({ project: 'forked', target: 'preview' })
    const { db } = node.installation.store
    await db.update(deployments).set({ untrusted: true }).where(eq(deployments.id, id))
    const member = { authorization: `Bearer ${team.ownerKey}` }
    expect(await visit(url, '/GREETING', member)).toEqual({ status: 200, body: 'undefined' })
    expect((await visit(url, '/SVC_DEPLOYMENT_ID', member)).body).toBe(id)
  })

  it('is known in the database while it runs', async () => {
    const { id, url } = await deployServer()
    await visit(url, '/pid')
    const { db } = node.installation.store
    const [row] = await until(async () => {
      const rows = await db.select().from(servers).where(eq(servers.deploymentId, id))
      return rows[0]?.state === 'running' && rows
    })
    expect(row).toMatchObject({ target: 'preview', restarts: 0 })
  })

  it('is 502 where it ends by itself, with a line that says how, and is started again', async () => {
    const { id, url } = await deployServer()
    const { body: first } = await visit(url, '/start')
    await visit(url, '/exit').catch(() => {})
    const second = await until(async () => {
      const { status, body } = await visit(url, '/start')
      return status === 200 && body
    })
    expect(second).not.toBe(first)
    await until(async () =>
      (await linesOf(id)).includes('The server ended with exit code 3 while it was running.'),
    )
  })

  it('is started anew where its project is restarted', async () => {
    const { url } = await deployServer({ project: 'anew' })
    const { body: first } = await visit(url, '/start')
    const { store } = node.installation
    const at = eq(projects.name, 'anew')
    const [project] = await store.db.update(projects).set({ restartedMs: 1 }).where(at).returning()
    store.changes.publish({ kind: 'project', id: project?.id ?? '' })
    await until(async () => (await visit(url, '/start')).body !== first)
  })

  it('is refused with a sentence in its log where it was built for another platform', async () => {
    const { id, url } = await deployServer()
    const server = {
      command: 'node server.js',
      directory: '.',
      node: '24.0.0',
      platform: 'linux-riscv64-musl',
    }
    await node.installation.store.db.update(deployments).set({ server }).where(eq(deployments.id, id))
    expect((await visit(url, '/pid')).status).toBe(502)
    await until(async () => (await linesOf(id)).some((line: string) => line.includes('linux-riscv64-musl')))
  })
})

it('a node that stops leaves no process of a server', async () => {
  const [first, mine] = [node, team]
  node = await startTestNode({ SVC_ROLES: 'api,edge' })
  team = await newTeam(node)
  const before = new Set(await listTree(process.pid))
  const { url } = await deployServer()
  expect((await visit(url, '/pid')).status).toBe(200)
  const ofServer = (await listTree(process.pid)).filter((pid) => !before.has(pid))
  expect(ofServer.length).toBeGreaterThan(0)
  await node.stop()
  ;[node, team] = [first, mine]
  const left = new Set(await listTree(process.pid))
  expect(ofServer.filter((pid) => left.has(pid))).toEqual([])
})
