/** Release commands run before the server of a build is tried. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import type { Answer } from '../../../support/api.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { testTimeout } from '../build.ts'
import { linesOf, startBuildNodes, whenEnded } from '../build-node.ts'
import { newHold } from '../hold.ts'

/** A database, as far as these tests need one: it counts whoever connects, by what they send. */
const received: string[] = []
const database = createServer((socket) => {
  socket.setEncoding('utf8').on('data', (text: string) => {
    received.push(text)
    socket.end('done')
  })
})

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam
let port = 0

beforeAll(async () => {
  await once(database.listen(0, '127.0.0.1'), 'listening')
  const address = database.address()
  port = typeof address === 'object' && address ? address.port : 0
  nodes = await startBuildNodes({ SVC_RUNTIME_PRIVATE: `*=127.0.0.1:${port}`, SVC_BUILD_TIMEOUT_S: '20' })
  ;({ node } = nodes)
})
afterAll(async () => {
  await nodes.stop()
  database.close()
})
beforeEach(async () => {
  received.length = 0
  team = await newTeam(node)
})

const server = `require('node:http').createServer((_, to) => to.end('hello')).listen(process.env.PORT)
console.log('up')`

const migrate = `
console.log('migrating', process.env.SVC_TARGET, require('node:fs').existsSync('.cache-of-build/left'))
const { SECRET = 'none' } = process.env
const socket = require('node:net').connect(${'PORT'}, '127.0.0.1', () => socket.write(SECRET))
socket.resume().once('end', () => console.log('migrated'))`

async function configure(release: string): Promise<void> {
  const { status, body } = await team.owner('PUT', '/v1/projects/web', {
    runtime: { network: 'tcp', ports: [port], release },
    env: [{ key: 'SECRET', value: 'a-secret-value', target: ['production'] }],
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

async function deploy(fields: Record<string, unknown> = {}): Promise<Answer['body']> {
  const { build, ...rest } = fields
  const files = Object.entries({ 'a.js': server, 'migrate.js': migrate.replace('PORT', String(port)) })
  const { status, body } = await team.owner('POST', '/v1/deployments', {
    project: 'web',
    target: 'production',
    files: files.map(([path, content]) => ({ path, content })),
    build: { start: 'node a.js', ...(typeof build === 'object' ? build : {}) },
    ...rest,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const textsOf = async (id: string) => (await linesOf(node, id)).map(({ text }) => text)

describe('a release command', { timeout: testTimeout }, () => {
  it('has variables and network of the target, and all files of the build, before the trial', async () => {
    await configure('node migrate.js')
    const build = { build_command: 'mkdir .cache-of-build && touch .cache-of-build/left' }
    const made = await deploy({ build })
    const ended = await whenEnded(team, made.id)
    expect(ended).toMatchObject({ state: 'ready', live: true, error: null })
    expect(received).toEqual(['a-secret-value'])
    const lines = await textsOf(made.id)
    const from = lines.indexOf('Releasing…')
    expect(lines.slice(from, from + 6)).toEqual([
      'Releasing…',
      '$ node migrate.js',
      'migrating production true',
      'migrated',
      'Trying the server…',
      'up',
    ])
  })

  it('runs for a preview, too, and for a redeploy, but not for a promote and a rollback', async () => {
    await configure('node migrate.js')
    const first = await whenEnded(team, (await deploy()).id)
    const preview = await whenEnded(team, (await deploy({ target: 'preview' })).id)
    expect(received).toEqual(['a-secret-value', 'none'])
    for (const { id } of [preview, first])
      expect((await team.owner('POST', `/v1/deployments/${id}/promote`)).status).toBe(200)
    expect(received).toHaveLength(2)
    const { body } = await team.owner('POST', '/v1/deployments', { project: 'web', from: first.id })
    expect(await whenEnded(team, body.id)).toMatchObject({ state: 'ready' })
    expect(received).toEqual(['a-secret-value', 'none', 'a-secret-value'])
  })

  it('that fails is the end of its deployment, and what is live stays live', async () => {
    await configure('true')
    const live = await whenEnded(team, (await deploy()).id)
    await configure("echo 'relation users exists' >&2; exit 3")
    const failed = await whenEnded(team, (await deploy()).id)
    expect(failed).toMatchObject({
      state: 'error',
      error: {
        reason: 'release_failed',
        message: 'The release command ended with exit code 3.',
        excerpt: ['relation users exists'],
      },
    })
    const { body } = await team.owner('GET', '/v1/projects/web')
    expect(body.production_deployment).toBe(live.id)
    expect(await textsOf(failed.id)).not.toContain('Trying the server…')
  })

  it('may write nowhere but to memory, and its secrets stay out of the log', async () => {
    await configure('touch a.js; echo "$SECRET" | tee /tmp/a; exit 1')
    const { id, error } = await whenEnded(team, (await deploy()).id)
    expect(error.excerpt.join('\n')).toMatch(/Read-only file system[\s\S]*\[redacted\]/)
    expect((await textsOf(id)).join()).not.toContain('a-secret-value')
  })

  it('that was begun by a worker that is lost is not begun again', async () => {
    await configure('node migrate.js')
    const hold = newHold()
    const made = await deploy({ build: { build_command: hold.command } })
    await node.installation.store.db
      .update(deployments)
      .set({ releaseBegunMs: Date.now() })
      .where(eq(deployments.id, made.id))
    await hold.release()
    const { error } = await whenEnded(team, made.id)
    expect(error).toMatchObject({
      reason: 'release_failed',
      message: expect.stringContaining('deploy again'),
    })
    expect(received).toEqual([])
  })

  it('does not run for sources of somebody outside the team', async () => {
    await configure('node migrate.js')
    const hold = newHold()
    const before = await deploy({ target: 'preview', build: { build_command: hold.command } })
    const made = await deploy({ target: 'preview' })
    await node.installation.store.db
      .update(deployments)
      .set({ untrusted: true })
      .where(eq(deployments.id, made.id))
    await hold.release()
    expect(await whenEnded(team, before.id)).toMatchObject({ state: 'ready' })
    expect(await whenEnded(team, made.id)).toMatchObject({ state: 'ready', untrusted: true })
    expect(received).toEqual(['none'])
  })

  it('that never ends is killed at the time limit of the build', async () => {
    await configure('sleep 3600 & sleep 3600')
    const { error } = await whenEnded(team, (await deploy()).id)
    expect(error).toEqual({
      reason: 'release_failed',
      message: 'The release command did not end within the time of a build (20 s).',
    })
  })
})
