/** Pushes whose files are built: the log comes along, and the end of the build decides over the branch. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testTimeout } from '../../../platform/builds/build.ts'
import { deployBuild, startBuildNodes } from '../../../platform/builds/build-node.ts'
import { visit } from '../../../platform/deployments/steps.ts'
import { until } from '../../../support/eventually.ts'
import type { TestNode } from '../../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree, type WorkTree } from '../../../support/work-tree.ts'

vi.setConfig({ testTimeout })

let nodes: Awaited<ReturnType<typeof startBuildNodes>>
let node: TestNode
let team: TestTeam
let tree: WorkTree

beforeAll(async () => {
  nodes = await startBuildNodes({ SVC_BUILD_SANDBOX: 'none' })
  ;({ node } = nodes)
})

afterAll(() => nodes.stop())

const remoteOf = ({ slug, ownerKey }: TestTeam, password = ownerKey, at = node) =>
  at.apiUrl.replace('//', `//x:${password}@`).concat(`/git/${slug}/web.git`)

/** A project that builds its pushes by `command`, and a first commit that is not pushed yet. */
async function newSite(command: string): Promise<string> {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web', {
    build: { build_command: command, output_directory: 'out' },
  })
  tree = await newWorkTree()
  await tree.commit({ 'index.html': 'first' })
  return remoteOf(team)
}

type Listed = { id: string; state: string }

const list = async () => (await team.owner('GET', '/v1/deployments')).body.data
const live = async () => (await visit((await team.owner('GET', '/v1/projects/web')).body.production_url)).body

const copy = 'mkdir out && cp *.html out/'

/** The names of the pushes that hold the repository of a project. */
async function holdsOf(project: string): Promise<string[]> {
  const { id } = (await team.owner('GET', `/v1/projects/${project}`)).body
  const names = await readdir(join(node.settings.SVC_DATA_DIR, 'git', team.id, `${id}.git`))
  return names.filter((name) => name.startsWith('svc-push-'))
}

it('the lines of the build come while it runs, the address last', async () => {
  const remote = await newSite(`echo begins; test -e wait && sleep 60; ${copy}; echo ends >&2`)
  const { ok, said } = await tree.git('push', remote, 'main')
  expect(ok).toBe(true)
  const lines = said.split('\n').filter((line) => line.startsWith('remote: '))
  expect(lines).toEqual(expect.arrayContaining(['remote: begins', 'remote: ends']))
  expect(lines.at(-1)).toMatch(/^remote: Live: http/)
  expect(await live()).toBe('first')
  await tree.commit({ wait: '' })
  const child = spawn('git', ['push', remote, 'main'], { cwd: tree.directory, stdio: 'pipe' })
  let early = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    early += text
  })
  await until(() => early.includes('begins'))
  const [building] = await list()
  expect(building.state).toBe('building')
  expect(await holdsOf('web')).toHaveLength(1)
  await team.owner('DELETE', `/v1/deployments/${building.id}`)
  await once(child, 'close')
  expect(early).toContain('[remote rejected] main -> main (canceled)')
  await until(async () => (await holdsOf('web')).length === 0)
})

it('a build that fails refuses the push, and leaves the branch where it was', async () => {
  const remote = await newSite(`${copy}; test ! -e broken || { echo Hello; echo error: broken; exit 1; }`)
  await tree.git('push', remote, 'main')
  await tree.commit({ 'index.html': 'second', broken: '' })
  for (const _ of ['once', 'and again']) {
    const { ok, said } = await tree.git('push', remote, 'main')
    expect(ok).toBe(false)
    expect(said).toContain('[remote rejected] main -> main (build failed)')
    const lines = said.split('\n').filter((line) => line.startsWith('remote: '))
    expect(lines.slice(-2)).toEqual([
      expect.stringContaining('ended with exit code 1'),
      expect.stringMatching(/^remote: error: broken\s*$/),
    ])
  }
  expect(await live()).toBe('first')
  await tree.commit({ 'index.html': 'third', broken: undefined })
  expect((await tree.git('push', remote, 'main')).ok).toBe(true)
  expect(await live()).toBe('third')
  expect((await list()).map(({ state }: { state: string }) => state)).toEqual([
    'ready',
    'error',
    'error',
    'ready',
  ])
})

it('sources of a framework are built as its table says, where nothing else does', async () => {
  team = await newTeam(node)
  tree = await newWorkTree()
  const scripts = { build: 'node build.js' }
  await tree.commit({
    'package.json': JSON.stringify({ scripts, devDependencies: { vite: '*' } }),
    'index.html': 'source',
    'build.js': makesSite,
  })
  await team.owner('PUT', '/v1/projects/web', { build: { install_command: 'true' } })
  const { said } = await tree.git('push', remoteOf(team), 'main')
  expect(said).toContain('These are sources for Vite, built with npm run build into dist.')
  const [{ build }] = await list()
  expect(build).toEqual({
    install_command: 'true',
    build_command: 'npm run build',
    output_directory: 'dist',
    root_directory: '.',
    start: null,
  })
  expect(await live()).toBe('built')
})

const makesSite = "require('fs').mkdirSync('dist'); require('fs').writeFileSync('dist/index.html', 'built')"

describe('a project whose last deployment was a static site', () => {
  const sources = { 'package.json': JSON.stringify({ dependencies: { express: '*' } }), 'index.js': '' }

  beforeEach(async () => {
    team = await newTeam(node)
    tree = await newWorkTree()
    await tree.commit({ 'index.html': 'page' })
    await tree.git('push', remoteOf(team), 'main')
  })

  it('goes on with the page beside the files of a server, and says how it becomes one', async () => {
    await tree.commit(sources)
    const { ok, said } = await tree.git('push', remoteOf(team), 'main')
    expect({ ok, said }).toEqual({
      ok: true,
      said: expect.stringMatching(
        /so is this one: \{"start":"node index\.js"\} in svc\.json makes it a server/,
      ),
    })
    expect(await list()).toMatchObject([{ state: 'ready', server: null, build: { start: null } }, {}])
    expect(await live()).toBe('page')
    await tree.commit({ 'svc.json': '{"start": "node index.js", "build": {"install_command": null}}' })
    await tree.git('push', remoteOf(team), 'main')
    expect((await list())[0]).toMatchObject({ build: { start: 'node index.js' } })
  })

  it('takes a server without a page only by svc.json', async () => {
    await tree.commit({ ...sources, 'index.html': undefined })
    const { ok, said } = await tree.git('push', remoteOf(team), 'main')
    expect({ ok, said }).toEqual({
      ok: false,
      said: expect.stringContaining('until svc.json says what is: {"start":"node index.js"} to start it'),
    })
    expect(await list()).toHaveLength(1)
  })
})

it('a server for developers is refused, with what would do', async () => {
  team = await newTeam(node)
  tree = await newWorkTree()
  const manifest = { scripts: { start: 'nodemon app.js' }, dependencies: { express: '*' } }
  await tree.commit({ 'package.json': JSON.stringify(manifest), 'app.js': '' })
  const { ok, said } = await tree.git('push', remoteOf(team), 'main')
  expect({ ok, said }).toEqual({ ok: false, said: expect.stringContaining('such as node app.js') })
  expect(await list()).toEqual([])
})

it('sources in the root directory are built there, with the package manager above', async () => {
  team = await newTeam(node)
  tree = await newWorkTree()
  await tree.commit({
    'package.json': JSON.stringify({ workspaces: ['apps/*'] }),
    'package-lock.json': '{}',
    'apps/web/package.json': JSON.stringify({
      scripts: { build: 'node build.cjs' },
      devDependencies: { vite: '*' },
    }),
    'apps/web/build.cjs': makesSite,
  })
  const build = { install_command: 'echo with $(ls ../..)', root_directory: 'apps/web' }
  await team.owner('PUT', '/v1/projects/web', { build })
  const { said } = await tree.git('push', remoteOf(team), 'main')
  expect(said).toContain('with apps package-lock.json package.json')
  expect(await list()).toMatchObject([{ build: { ...build, build_command: 'npm run build' } }])
  expect(await live()).toBe('built')
})

it('a site in the root directory is not published with sources around it', async () => {
  team = await newTeam(node)
  tree = await newWorkTree()
  await tree.commit({ 'package.json': '{"devDependencies":{"vite":"*"}}', 'docs/index.html': 'a page' })
  await team.owner('PUT', '/v1/projects/web', { build: { root_directory: 'docs' } })
  const refused = await tree.git('push', remoteOf(team), 'main')
  expect(refused.said).toContain('These are sources for Vite')
  expect([refused.ok, await list()]).toEqual([false, []])
  await tree.commit({ 'svc.json': '{"directory":"docs","build":{"root_directory":"."}}' })
  expect((await tree.git('push', remoteOf(team), 'main')).ok).toBe(true)
  expect(await live()).toBe('a page')
})

it.each<[string, Record<string, string>, RegExp]>([
  [
    'sources of no known framework',
    { 'go.mod': '', 'main.go': '' },
    /look like sources: go\.mod.*\{"build": \{\}\}/,
  ],
  ['a manifest that is no JSON', { 'package.json': '{', 'index.html': '' }, /package\.json is not JSON/],
])('%s are refused, and svc.json decides', async (_what, files, problem) => {
  team = await newTeam(node)
  tree = await newWorkTree()
  await tree.commit(files)
  await team.owner('PUT', '/v1/projects/web')
  const refused = await tree.git('push', remoteOf(team), 'main')
  expect(refused.ok).toBe(false)
  expect(refused.said.replaceAll(/\s*\nremote: /g, ' ')).toMatch(problem)
  expect(await list()).toEqual([])
  await tree.commit({ 'svc.json': '\uFEFF{"build": {}}' })
  expect((await tree.git('push', remoteOf(team), 'main')).said).toContain('remote: Live: ')
})

it('svc.json says how this one is built', async () => {
  const remote = await newSite('false')
  const build = {
    build_command: 'mkdir site && echo by the file > site/index.html',
    output_directory: 'site',
  }
  await tree.commit({ 'svc.json': JSON.stringify({ project: 'web', build }) })
  expect((await tree.git('push', remote, 'main')).said).toContain('remote: Live: ')
  expect(await live()).toBe('by the file\n')
  expect((await team.owner('GET', '/v1/projects/web')).body.build.build_command).toBe('false')
})

it('svc.json says what starts this one, of sources that are built in no known way', async () => {
  team = await newTeam(node)
  tree = await newWorkTree()
  await team.owner('PUT', '/v1/projects/web', { start: 'node other.mjs' })
  const file = { start: 'node server.mjs', runtime: { idle_s: 60 } }
  await tree.commit({ 'main.go': '', 'svc.json': JSON.stringify(file) })
  const { said } = await tree.git('push', remoteOf(team), 'main')
  expect(said).toContain('runtime is a setting of the project')
  expect(said).not.toContain('start is a setting')
  expect(await list()).toMatchObject([{ build: { build_command: null, start: 'node server.mjs' } }])
  await tree.commit({ 'svc.json': '{"start": null, "build": {}}' })
  await tree.git('push', remoteOf(team), 'main')
  expect((await list())[0]).toMatchObject({ state: 'ready', build: { start: null } })
  const { body } = await team.owner('GET', '/v1/projects/web')
  expect(body).toMatchObject({ start: 'node other.mjs', runtime: { idle_s: 900 } })
})

describe('while a build runs', () => {
  const slow = `${copy}; while test -e slow; do sleep 0.1; done`

  /** A push whose build runs, by another program than the test's. */
  async function startPush(remote: string) {
    await tree.commit({ slow: '' })
    const child = spawn('git', ['push', remote, 'main'], { cwd: tree.directory, stdio: 'pipe' })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const ended = once(child, 'close').then(() => said)
    const id = await until(async () => {
      const [first] = await list()
      return first?.state === 'building' && (first.id as string)
    })
    return { child, ended, id }
  }

  it('a newer push supersedes it', async () => {
    const remote = await newSite(slow)
    const first = await startPush(remote)
    await tree.commit({ 'index.html': 'newer', slow: undefined })
    const newer = tree.git('push', '--force', remote, 'main')
    expect(await first.ended).toContain('[remote rejected] main -> main (superseded)')
    await team.owner('DELETE', `/v1/deployments/${first.id}`)
    expect((await newer).said).toContain('remote: Live: ')
    expect(await live()).toBe('newer')
  })

  it('a newer push cancels what is queued of its branch, and nothing else', async () => {
    const remote = await newSite(slow)
    const first = await startPush(remote)
    await tree.git('branch', 'other')
    const other = tree.git('push', remote, 'other')
    await until(async () => (await list()).length === 2)
    await tree.commit({ 'index.html': 'second' })
    const second = tree.git('push', remote, 'main')
    await until(async () => (await list()).length === 3)
    const byHand = await deployBuild(team, copy, { meta: { branch: 'main' }, target: 'production' })
    await tree.commit({ 'index.html': 'third', slow: undefined })
    const third = tree.git('push', remote, 'main')
    expect((await second).said).toContain('[remote rejected] main -> main (superseded)')
    expect(await first.ended).toContain('[remote rejected] main -> main (superseded)')
    const states = new Map<string, string>((await list()).map((each: Listed) => [each.id, each.state]))
    expect([...states.values()].toSorted()).toEqual(['building', 'canceled', 'queued', 'queued', 'queued'])
    expect(states.get(byHand.id)).toBe('queued')
    for (const [id, state] of states)
      if (state !== 'canceled') await team.owner('DELETE', `/v1/deployments/${id}`)
    await Promise.all([other, third])
  })

  it('a push whose build waits keeps no place from another one', async () => {
    const remote = await newSite(slow)
    const first = await startPush(remote)
    const branches = ['one', 'two', 'three', 'four', 'five']
    for (const name of branches) await tree.git('branch', name)
    const pushes = branches.map((name) => tree.git('push', remote, name))
    await until(async () => (await list()).length === 6)
    for (const { id } of await list()) await team.owner('DELETE', `/v1/deployments/${id}`)
    for (const { said } of await Promise.all(pushes)) expect(said).toContain('(canceled)')
    expect(await first.ended).toContain('(canceled)')
  })

  it('a pusher who leaves stops nothing', async () => {
    const remote = await newSite(`${copy}; sleep 3`)
    const { child, id } = await startPush(remote)
    child.kill('SIGKILL')
    const ended = await team.owner('GET', `/v1/deployments/${id}?wait_s=30`)
    expect(ended.body).toMatchObject({ state: 'ready', live: true })
    await until(async () => (await tree.git('push', remote, 'main')).said.includes('Everything up-to-date'))
  })

  it('a key that is revoked gets no further line', async () => {
    await newSite(slow)
    const member = await addMember(node, team)
    const { ended, id } = await startPush(remoteOf(team, member.key))
    const { body } = await member.api('GET', '/v1/apikeys')
    await team.owner('DELETE', `/v1/apikeys/${body.data[0].id}`)
    expect(await ended).toContain('[remote rejected] main -> main (unauthorized)')
    await team.owner('DELETE', `/v1/deployments/${id}`)
  })
})

it.runIf(process.env.TEST_ON)('pushes to two nodes in turn are pushes to one platform', async () => {
  const remote = await newSite(copy)
  const other = await nodes.start({ SVC_BUILD_SANDBOX: 'none' })
  const otherRemote = remoteOf(team, team.ownerKey, other)
  await tree.git('push', remote, 'main')
  await tree.commit({ 'index.html': 'second' })
  expect((await tree.git('push', otherRemote, 'main')).said).toContain('[new branch]      main -> main')
  await tree.commit({ 'index.html': 'third' })
  expect((await tree.git('push', otherRemote, 'main')).said).toMatch(/\.\.[0-9a-f]{7} {2}main -> main/)
  // What the first node has is no longer what is deployed, so that it says nothing of the branch.
  await tree.commit({ 'index.html': 'fourth' })
  expect((await tree.git('push', remote, 'main')).ok).toBe(true)
  expect(await live()).toBe('fourth')
  await tree.git('commit', '--amend', '--quiet', '--message', 'Elsewhere')
  expect((await tree.git('push', otherRemote, 'main')).ok).toBe(true)
})

it.runIf(process.env.TEST_ON)(
  'names of branches that can not stand side by side stay in nobody’s way',
  async () => {
    const remote = await newSite(copy)
    const other = await nodes.start({ SVC_BUILD_SANDBOX: 'none' })
    const otherRemote = remoteOf(team, team.ownerKey, other)
    expect((await tree.git('push', remote, 'main:refs/heads/topic')).ok).toBe(true)
    expect((await tree.git('push', otherRemote, 'main:refs/heads/topic/part')).ok).toBe(true)
    await tree.commit({ 'index.html': 'second' })
    expect((await tree.git('push', otherRemote, 'main:refs/heads/main')).ok).toBe(true)
    expect((await tree.git('push', remote, 'main:refs/heads/main')).ok).toBe(true)
    expect((await tree.git('push', remote, ':topic', 'main:refs/heads/other')).ok).toBe(true)
    expect((await tree.git('push', remote, 'main:refs/heads/topic/part')).ok).toBe(true)
  },
)
