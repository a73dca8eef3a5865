/** The site is deployed, not its sources. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deploy, visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, type Svc } from './svc.ts'

let node: TestNode
let team: TestTeam
let work: string
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { home, svc: run } = await newHome()
  work = join(home, 'work')
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey, PATH: String(process.env.PATH) }
  svc = (args, options = {}) => run(args, { ...options, env: { ...env, ...options.env } })
  const build =
    "const fs = require('fs'); fs.mkdirSync('dist', { recursive: true }); " +
    "fs.writeFileSync('dist/index.html', 'built'); console.log('building')"
  await write({
    'package.json': JSON.stringify({
      private: true,
      scripts: { build: 'node make.cjs' },
      devDependencies: { vite: '7' },
    }),
    'make.cjs': build,
    'index.html': 'source',
    'node_modules/vite/index.js': '',
  })
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), content)
  }
}

const link = async () => JSON.parse(await readFile(join(work, 'svc.json'), 'utf8'))

it('sources of a framework are neither sent nor built without a choice', async () => {
  const { code, stdout, stderr } = await svc(['deploy', '--project', 'web'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/sources for Vite.*--build .*--remote .*--as-is /)
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  await expect(readFile(join(work, 'dist/index.html'))).rejects.toThrow('ENOENT')
})

it('--build builds here and deploys the output, also in later deployments', async () => {
  const { code, stdout, stderr } = await svc(['deploy', '--project', 'web', '--build', '--prod'])
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('building') })
  expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'built' })
  expect(await link()).toMatchObject({ project: 'web', directory: 'dist' })
  await write({ 'dist/index.html': 'by hand' })
  const again = await svc(['deploy', '--prod'])
  expect(await visit(again.stdout.trim(), '/')).toMatchObject({ body: 'by hand' })
  await svc(['deploy', '--prod', '--build'])
  expect(await visit(again.stdout.trim(), '/')).toMatchObject({ body: 'built' })
})

it('a build that fails here deploys nothing', async () => {
  await write({ 'make.cjs': 'process.exit(3)' })
  const { code, stderr } = await svc(['deploy', '--project', 'web', '--build'])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/npm run build ended with \d/),
  })
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
})

it('--remote saves the build commands in the project, and in svc.json', async () => {
  const build = { install_command: 'npm install', build_command: 'npm run build', output_directory: 'dist' }
  await svc(['deploy', '--project', 'web', '--remote', '--no-wait'])
  expect((await team.owner('GET', '/v1/projects/web')).body.build).toMatchObject(build)
})

it('--as-is sends the sources, then and later', async () => {
  const { code, stdout } = await svc(['deploy', '--project', 'web', '--as-is'])
  expect(code).toBe(0)
  expect(await visit(stdout.trim(), '/')).toMatchObject({ body: 'source' })
  expect(await link()).toMatchObject({ build: {} })
  expect(await svc(['deploy'])).toMatchObject({ code: 0 })
})

it('a byte order mark before a manifest changes nothing, nor before svc.json', async () => {
  await write({ 'package.json': `\uFEFF${await readFile(join(work, 'package.json'), 'utf8')}` })
  const refused = await svc(['deploy', '--project', 'web'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('sources for Vite') })
  await write({ 'svc.json': '\uFEFF{"project": "web", "build": {"build_command": "true"}}' })
  expect(await svc(['deploy', '--no-wait'])).toMatchObject({ code: 0 })
})

it.each([
  ['is cut off', '{"dev', 'package.json is not JSON: '],
  ['is UTF-16', Buffer.from('\uFEFF{}', 'utf16le').toString('latin1'), 'the text is not UTF-8'],
  ['is a list', '[]', 'package.json must be a JSON object'],
])('a manifest that %s stops the deployment, until somebody decides', async (_what, text, problem) => {
  await writeFile(join(work, 'package.json'), text, 'latin1')
  for (const flags of [[], ['--build'], ['--remote']]) {
    const { code, stderr } = await svc(['deploy', '--project', 'web', ...flags])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) })
  }
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  expect(await svc(['deploy', '--project', 'web', '--as-is'])).toMatchObject({ code: 0 })
})

it('sources of no known framework are neither sent nor built without a choice', async () => {
  await write({ 'package.json': JSON.stringify({ scripts: { build: 'node make.cjs' } }) })
  await rm(join(work, 'index.html'))
  const { code, stderr } = await svc(['deploy', '--project', 'web'])
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /look like sources: package\.json has the script "build".*--build .*--remote .*--as-is /,
    ),
  })
  const built = await svc(['deploy', '--project', 'web', '--build', '--prod'])
  expect(await visit(built.stdout.trim(), '/')).toEqual({ status: 200, body: 'built' })
  expect(await link()).toMatchObject({ directory: 'dist' })
})

it('an empty build in svc.json is a decision', async () => {
  await write({ 'svc.json': '{"project": "web", "build": {}}' })
  const { code, stdout } = await svc(['deploy'])
  expect(code).toBe(0)
  expect(await visit(stdout.trim(), '/')).toMatchObject({ body: 'source' })
})

it('a folder that svc.json names needs a choice, too, if it has sources', async () => {
  await write({ 'svc.json': '{"project": "web", "directory": "app"}', 'app/go.mod': '' })
  const { code, stderr } = await svc(['deploy'])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('go.mod is there') })
  expect(await svc(['deploy', 'app', '--as-is'])).toMatchObject({ code: 0 })
})

it('where the build made a site elsewhere, its directory is named', async () => {
  await write({
    'make.cjs':
      "const fs = require('fs'); fs.mkdirSync('www/app', { recursive: true }); " +
      "fs.writeFileSync('www/app/index.html', '')",
  })
  const { code, stderr } = await svc(['deploy', '--project', 'web', '--build'])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('left no directory dist. It made pages in www/app.'),
  })
})

it('a project with a build command takes sources', async () => {
  await team.owner('PUT', '/v1/projects/web', { build: { build_command: 'true' } })
  const { stderr } = await svc(['deploy', '--project', 'web', '--no-wait'])
  expect(stderr).not.toContain('--as-is')
})

it('--remote sends what a project with a build command builds, whatever it is', async () => {
  const build = { build_command: 'cp -r . ../dist; mv ../dist .' }
  await team.owner('PUT', '/v1/projects/web', { build })
  await write({ 'package.json': '{}' })
  expect(await svc(['deploy', '--project', 'web', '--remote', '--no-wait'])).toMatchObject({ code: 0 })
  expect((await team.owner('GET', '/v1/projects/web')).body.build).toMatchObject(build)
})

it('the choices exclude each other, and need sources', async () => {
  expect(await svc(['deploy', '--build', '--remote'])).toMatchObject({ code: 2 })
  await write({ 'package.json': '{}' })
  expect(await svc(['deploy', '--project', 'web', '--build'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No known framework'),
  })
})

/** As `npm init -y` leaves it, after Express was installed. */
const express = {
  'package.json': JSON.stringify({
    main: 'index.js',
    scripts: { test: 'exit 1' },
    dependencies: { express: '5' },
  }),
  'index.js': 'server',
  'index.html': 'source',
}

it('a server is not sent as files: it says in one line what runs, and both keep it', async () => {
  await write(express)
  const { code, stderr } = await svc(['deploy', '--project', 'web', '--no-wait'])
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Express: npm install, then `node index.js` runs as its server.\n'),
  })
  const [{ state, build }] = (await team.owner('GET', '/v1/deployments')).body.data
  expect(state).not.toBe('ready')
  const wanted = { install_command: 'npm install', build_command: null }
  expect(build).toMatchObject({ ...wanted, start: 'node index.js' })
  expect(await link()).toMatchObject({ build: wanted, start: 'node index.js' })
  expect((await team.owner('GET', '/v1/projects/web')).body).toMatchObject({ start: 'node index.js' })
  const again = await svc(['deploy', '--no-wait'])
  expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Express') })
})

describe('a project whose last deployment was a static site', () => {
  const { 'index.html': _page, ...withoutPage } = express

  beforeEach(async () => {
    await deploy(team, { target: 'production' })
    await Promise.all(['index.html', 'make.cjs'].map((name) => rm(join(work, name))))
  })

  it('goes on with the page beside the files of a server, and says how it becomes one', async () => {
    await write(express)
    const { code, stdout, stderr } = await svc(['deploy', '--project', 'web', '--prod'])
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /starts with `node index\.js`\. .* so is this one: .*svc deploy --remote/,
      ),
    })
    expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'source' })
    expect((await team.owner('GET', '/v1/projects/web')).body).toMatchObject({ start: null })
    const remote = await svc(['deploy', '--remote', '--no-wait'])
    expect(remote).toMatchObject({ code: 0, stderr: expect.stringContaining('runs as its server.') })
    expect((await team.owner('GET', '/v1/projects/web')).body).toMatchObject({ start: 'node index.js' })
  })

  it('needs a choice for a server without a page', async () => {
    await write(withoutPage)
    const { code, stderr } = await svc(['deploy', '--project', 'web'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/was a static site: pass --remote to run the server/),
    })
    expect((await team.owner('GET', '/v1/deployments')).body.data).toHaveLength(1)
  })

  it('has a server where start is set', async () => {
    await write(express)
    await team.owner('PUT', '/v1/projects/web', { start: 'node other.js' })
    await svc(['deploy', '--project', 'web', '--no-wait'])
    expect((await team.owner('GET', '/v1/deployments')).body.data[0]).toMatchObject({
      build: { start: 'node other.js' },
    })
  })
})

it('a server is never built here, and never one for developers', async () => {
  await write(express)
  const here = await svc(['deploy', '--project', 'web', '--build'])
  expect(here).toMatchObject({ code: 2, stderr: expect.stringContaining('leave --build out') })
  const manifest = { scripts: { start: 'nodemon index.js' }, dependencies: { express: '5' } }
  await write({ 'package.json': JSON.stringify(manifest) })
  const { code, stderr } = await svc(['deploy', '--project', 'web'])
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/nodemon index\.js, a server for developers.* such as node index\.js/),
  })
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
})

it('--as-is sends the files of a server, of which the deployment warns', async () => {
  await write(express)
  const { code, stdout } = await svc(['deploy', '--project', 'web', '--as-is', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'ready',
    warnings: [{ message: expect.stringMatching(/sources for Express.* served as they are/) }],
  })
})
