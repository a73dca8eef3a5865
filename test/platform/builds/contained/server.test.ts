/** A deployment with a server: planned and tried by its build; its own files are kept, and not served. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { manifestEntries, manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import type { Answer } from '../../../support/api.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree } from '../../../support/work-tree.ts'
import { testTimeout } from '../build.ts'
import { linesOf, startBuildNodes, whenEnded, whenIn } from '../build-node.ts'

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam

beforeAll(async () => {
  nodes = await startBuildNodes()
  ;({ node } = nodes)
})
afterAll(() => nodes.stop())

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

const listen = 'listen(process.env.PORT)'

const server = `require('node:http').createServer((_, to) => to.end('hello')).${listen}; console.log('up')`

type Sent = { files: Record<string, string | object>; build?: object; [field: string]: unknown }

async function deploy({ files, ...fields }: Sent): Promise<Answer['body']> {
  const list = Object.entries(files).map(([path, content]) => ({
    path,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }))
  const { status, body } = await team.owner('POST', '/v1/deployments', {
    project: 'web',
    files: list,
    ...fields,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const outcomeOf = async (sent: Sent) => whenEnded(team, (await deploy(sent)).id)

const textsOf = async (id: string) => (await linesOf(node, id)).map(({ text }) => text)

/** The row of a deployment, with the paths that it serves and keeps. */
async function leftBy(id: string) {
  const { db } = node.installation.store
  const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
  const pathsOf = async (manifest: number | null = null) => {
    const entries = db.select({ path: manifestEntries.path }).from(manifestEntries)
    return (await entries.where(eq(manifestEntries.manifestId, manifest ?? 0))).map(({ path }) => path).sort()
  }
  const [served] = await db
    .select()
    .from(manifests)
    .where(eq(manifests.id, row?.manifestId ?? 0))
  const [kept] = await db
    .select()
    .from(manifests)
    .where(eq(manifests.id, row?.serverManifestId ?? 0))
  return {
    server: row?.server,
    rules: served?.rules,
    links: kept?.links,
    served: await pathsOf(row?.manifestId),
    kept: await pathsOf(row?.serverManifestId),
  }
}

describe('a deployment with a server', { timeout: testTimeout }, () => {
  it('is never ready at once: without commands it is tried, and no file of it is served', async () => {
    const made = await deploy({ files: { 'a.js': server }, build: { start: 'node a.js' } })
    expect(made.state).toBe('queued')
    const ended = await whenEnded(team, made.id)
    expect(ended).toMatchObject({ state: 'ready', error: null, files: 1, warnings: [] })
    expect(ended.bytes).toBe(server.length)
    const node24 = expect.stringMatching(/^\d+\.\d+\.\d+/)
    expect(await leftBy(made.id)).toEqual({
      server: {
        command: 'node a.js',
        directory: '.',
        node: node24,
        platform: expect.stringMatching(/^linux-/),
      },
      rules: null,
      links: {},
      served: [],
      kept: ['a.js'],
    })
    const lines = await textsOf(made.id)
    expect(lines.slice(0, 3)).toEqual([
      'Its server starts with `node a.js`: start is set.',
      'Trying the server…',
      'up',
    ])
  })

  it('serves what output_directory names, and the rules of the root directory', async () => {
    const { id, state } = await outcomeOf({
      files: { 'a.js': server, 'public/a.css': 'a{}', _redirects: '/old /new 301', _headers: '/*\n  A: b' },
      build: { start: 'node a.js', output_directory: 'public' },
    })
    expect(state).toBe('ready')
    expect(await leftBy(id)).toMatchObject({
      served: ['a.css'],
      kept: ['_headers', '_redirects', 'a.js', 'public/a.css'],
      rules: { redirects: [{ status: 301 }], headers: [{ changes: [{ name: 'A' }] }] },
    })
  })

  it('keeps what a framework has built, and serves what has a hash in its name', async () => {
    const build = [
      'mkdir -p .output/server .output/public/_nuxt && mv a.js .output/server/index.mjs',
      'echo {} > .output/public/_nuxt/a.12345678.js && touch .output/public/robots.txt',
    ].join(' && ')
    const { id, state } = await outcomeOf({
      files: {
        'a.js': server.replace("require('node:http')", "(await import('node:http'))"),
        'package.json': { dependencies: { nuxt: '4' } },
        _headers: '/*\n  A: b',
      },
      build: { build_command: build, output_directory: '.output/public' },
    })
    expect(state).toBe('ready')
    expect(await leftBy(id)).toMatchObject({
      server: { command: 'node .output/server/index.mjs', directory: '.' },
      served: ['_nuxt/a.12345678.js'],
      kept: ['.output/public/_nuxt/a.12345678.js', '.output/public/robots.txt', '.output/server/index.mjs'],
      rules: { headers: [{ changes: [{ name: 'A' }] }] },
    })
  })

  it('tries a server without the files that are not kept', async () => {
    const needs = "import '../../a.mjs'; "
    const { error } = await outcomeOf({
      files: {
        'a.mjs': '',
        'b.js': needs + server.replace("require('node:http')", "(await import('node:http'))"),
        'package.json': { dependencies: { nuxt: '4' } },
      },
      build: { build_command: 'mkdir -p .output/server && mv b.js .output/server/index.mjs' },
    })
    expect(error).toMatchObject({ reason: 'start_failed', excerpt: expect.any(Array) })
    expect(error.excerpt.join('\n')).toContain('ERR_MODULE_NOT_FOUND')
  })

  it('completes the output of Next.js, whose caches are in memory', async () => {
    const facts = { config: { output: 'standalone' }, relativeAppDir: '' }
    const writes =
      "const fs = require('node:fs'); fs.writeFileSync('.next/standalone/.next/cache/a', 'b'); " +
      "console.log(fs.readdirSync('.next/standalone/public'), process.env.NEXT_PRIVATE_STANDALONE); "
    const build = [
      'mkdir -p .next/standalone/.next .next/static/chunks',
      'mv facts.json .next/required-server-files.json && mv a.js .next/standalone/server.js',
      'echo 1 > .next/static/chunks/a.js && echo "standalone: $NEXT_PRIVATE_STANDALONE"',
    ].join(' && ')
    const { id, state } = await outcomeOf({
      files: {
        'a.js': writes + server,
        'facts.json': facts,
        'public/a.txt': 'a',
        'package.json': { dependencies: { next: '16' } },
      },
      build: { build_command: build },
    })
    expect(await textsOf(id)).toEqual(
      expect.arrayContaining(['standalone: 1', "[ 'a.txt' ] undefined", 'up']),
    )
    expect(state).toBe('ready')
    expect(await leftBy(id)).toMatchObject({
      server: { command: 'node .next/standalone/server.js' },
      served: ['_next/static/chunks/a.js'],
      kept: [
        '.next/standalone/.next/static/chunks/a.js',
        '.next/standalone/public/a.txt',
        '.next/standalone/server.js',
      ],
    })
  })

  it('never serves the directory of the server itself', async () => {
    const build = { start: 'node a.js', output_directory: '.' }
    const { state, error } = await outcomeOf({ files: { 'a.js': server }, build })
    expect({ state, error }).toMatchObject({
      state: 'error',
      error: { reason: 'build_failed', message: expect.stringContaining('set output_directory to') },
    })
  })

  it.each<[string, Record<string, string | object>, string]>([
    ['by the Procfile', { Procfile: 'web: node b.js' }, 'node b.js'],
    ['by the script', { 'package.json': { scripts: { start: 'npm run s', s: 'node b.js' } } }, 'node b.js'],
  ])('is planned after its commands: %s', async (_what, files, command) => {
    const build = { build_command: 'mv a.js b.js' }
    const { id, state } = await outcomeOf({ files: { ...files, 'a.js': server }, build })
    expect(state).toBe('ready')
    expect(await leftBy(id)).toMatchObject({ server: { command }, served: [] })
  })

  it('has the variables of its target, and they are in no line', async () => {
    await team.owner('PUT', '/v1/projects/web', { env: [{ key: 'SECRET', value: 'swordfish' }] })
    const asks = `console.log(process.env.SECRET, process.env.SVC_PROJECT, process.env.CI); ${server}`
    const { id, state } = await outcomeOf({ files: { 'a.js': asks }, build: { start: 'node a.js' } })
    expect(state).toBe('ready')
    const lines = await textsOf(id)
    expect(lines.join('\n')).not.toContain('swordfish')
    expect(lines.find((line) => line.includes('web undefined'))).toMatch(/^\S+ web undefined$/)
  })

  it('is deployed again in the same way', async () => {
    const { id } = await outcomeOf({ files: { 'a.js': server }, build: { start: 'node a.js' } })
    const { body } = await team.owner('POST', '/v1/deployments', { project: 'web', from: id })
    expect(body.state).toBe('queued')
    expect((await whenEnded(team, body.id)).state).toBe('ready')
    expect(await leftBy(body.id)).toMatchObject({ kept: ['a.js'] })
  })
})

describe('a push of a server', { timeout: testTimeout }, () => {
  it('says in one line what runs, and is live once that was tried', async () => {
    const tree = await newWorkTree()
    const manifest = { scripts: { start: 'npm run serve', serve: 'node a.js' } }
    await tree.commit({ 'package.json': JSON.stringify(manifest), 'a.js': server })
    const remote = node.apiUrl.replace('//', `//x:${team.ownerKey}@`).concat(`/git/${team.slug}/web.git`)
    const { ok, said } = await tree.git('push', remote, 'main')
    expect({ ok, said }).toEqual({
      ok: true,
      said: expect.stringContaining('A server: `node a.js` runs.'),
    })
    const [{ id, live, build }] = (await team.owner('GET', '/v1/deployments')).body.data
    expect({ live, build }).toMatchObject({ live: true, build: { build_command: null, start: 'node a.js' } })
    expect(await leftBy(id)).toMatchObject({ served: [], kept: ['a.js', 'package.json'] })
  })
})

describe('a server that does not start', { timeout: testTimeout }, () => {
  const failing = (text: string, build: object = {}) =>
    outcomeOf({ files: { 'a.js': text }, build: { start: 'node a.js', ...build } })

  it('is an error with its last lines', async () => {
    const { state, error } = await failing("console.error('Error: no database'); process.exit(3)")
    expect({ state, error }).toMatchObject({
      state: 'error',
      error: {
        reason: 'start_failed',
        message: expect.stringContaining('exit code 3'),
        excerpt: expect.arrayContaining(['Error: no database']),
      },
    })
  })

  it('since a module is for another system says which one is needed', async () => {
    const { error } = await failing("throw new Error('a.node: invalid ELF header')")
    expect(error.message).toMatch(/exit code 1 .*for another system than this one \(linux-/)
  })

  it('whose file is not there says so', async () => {
    const { error } = await failing('', { start: 'node missing.js' })
    expect(error.reason).toBe('start_failed')
    expect(error.excerpt.join('\n')).toContain('missing.js')
  })

  it('that listens on another port is an error that names it', { tags: 'long' }, async () => {
    const { error } = await failing("require('node:net').createServer().listen(4567)")
    expect(error).toMatchObject({ reason: 'start_failed', message: expect.stringContaining('4567') })
  })

  it('ends with a canceled build', async () => {
    const { id } = await deploy({
      files: { 'a.js': 'setInterval(() => console.log("waits"), 200)' },
      build: { start: 'node a.js' },
    })
    await whenIn(team, id, 'building')
    await expect.poll(() => textsOf(id), { timeout: testTimeout }).toContain('waits')
    await team.owner('DELETE', `/v1/deployments/${id}`)
    expect((await whenEnded(team, id)).state).toBe('canceled')
  })
})

describe('a project that was static', { timeout: testTimeout }, () => {
  const files = { 'package.json': { scripts: { start: 'node a.js' } }, 'a.js': server, 'page.txt': 'hello' }
  const build = { build_command: 'mkdir -p dist && cp page.txt dist/' }

  it('stays so, until start is set', async () => {
    await team.owner('POST', '/v1/deployments', {
      project: 'web',
      files: [{ path: 'index.html', content: 'a' }],
    })
    const { id, state } = await outcomeOf({ files, build })
    expect(state).toBe('ready')
    expect(await leftBy(id)).toMatchObject({ server: null, served: ['page.txt'], kept: [] })
    expect((await textsOf(id)).join('\n')).toContain('the last deployment was a static site')
    const started = await outcomeOf({ files, build: { ...build, start: 'node a.js' } })
    expect(await leftBy(started.id)).toMatchObject({ server: { command: 'node a.js' }, served: [] })
    const after = await outcomeOf({ files, build })
    expect(await leftBy(after.id)).toMatchObject({ server: { command: 'node a.js' } })
  })
})

describe('packages', { timeout: testTimeout }, () => {
  const library = (name: string, text: string) => ({
    [`packages/${name}/package.json`]: { name, version: '1.0.0', main: 'a.js' },
    [`packages/${name}/a.js`]: text,
  })

  it('of developers are removed before the rest is kept', async () => {
    const { id, state, error } = await outcomeOf({
      files: {
        'package.json': {
          scripts: { start: 'node a.js' },
          dependencies: { greeting: 'file:packages/greeting' },
          devDependencies: { tool: 'file:packages/tool' },
        },
        ...library('greeting', "module.exports = 'hi'"),
        ...library('tool', ''),
        'a.js': `require('greeting'); ${server}`,
      },
      build: { install_command: 'npm install', build_command: 'node -e "require(\'tool\')"' },
    })
    expect({ state, error }).toEqual({ state: 'ready', error: null })
    const { links = {} } = await leftBy(id)
    expect(Object.keys(links ?? {})).toEqual(['node_modules/greeting'])
  })

  it('of a workspace keep their links, and the server runs in its own', async () => {
    const { id, state, error } = await outcomeOf({
      files: {
        'package.json': { name: 'all', workspaces: ['packages/*', 'apps/*'] },
        ...library('greeting', "module.exports = 'hi'"),
        'apps/api/package.json': {
          name: 'api',
          scripts: { start: 'node a.js' },
          dependencies: { greeting: '*' },
        },
        'apps/api/a.js': `require('greeting'); ${server}`,
      },
      build: { install_command: 'npm install', build_command: 'true', root_directory: 'apps/api' },
    })
    expect({ state, error }).toEqual({ state: 'ready', error: null })
    expect(await leftBy(id)).toMatchObject({
      server: { command: 'node a.js', directory: 'apps/api' },
      served: [],
      links: { 'node_modules/greeting': '../packages/greeting' },
    })
  })
})
