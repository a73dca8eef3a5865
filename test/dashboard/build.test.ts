/**
 * When the dashboard is built, by `npm run dashboard` and beside `npm start`: in a clone whose dashboard
 * builds at once.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shared } from '../../dashboard/export/sources.mjs'

/**
 * Writes an export with the text of `page`, and counts; waits for a file `go` where there is one `wait`.
 * Connections to its socket end with it.
 */
const make = `
import { createServer } from 'node:net'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const server = createServer((socket) => socket.unref()).unref()
await new Promise((listening) => server.once('listening', listening).listen('../socket'))
appendFileSync('../builds', 'x')
while (existsSync('../wait') && !existsSync('../go')) await new Promise((next) => setTimeout(next, 20))
mkdirSync('out', { recursive: true })
writeFileSync('out/index.html', readFileSync('page', 'utf8'))
`

/** A node that fails when there is a file `fail`. */
const failing = `
import { existsSync } from 'node:fs'
while (!existsSync('fail')) await new Promise((next) => setTimeout(next, 20))
process.exitCode = 1
`

const packageJson = { name: 'pages', version: '1.0.0', type: 'module', scripts: { build: 'node make.mjs' } }
const lock = { ...packageJson, lockfileVersion: 3, packages: { '': { name: 'pages', version: '1.0.0' } } }

let clone = ''
let running: ChildProcess[] = []

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'svc-clone-'))
  running = []
  for (const path of [
    'build/start.mjs',
    'build/install.mjs',
    'dashboard/export',
    'dist/stores/data-dir',
    'dist/lib/names',
    'dist/lib/env-file.js',
    'dist/lib/has-code.js',
    'dist/lib/make-directory.js',
    'dist/lib/settings/error.js',
  ])
    await cp(path, join(clone, path), { recursive: true })
  for (const path of shared) await cp(path, join(clone, path))
  await symlink(resolve('node_modules'), join(clone, 'node_modules'))
  await mkdir(join(clone, 'client/dist'), { recursive: true })
  await write('package.json', '{ "type": "module" }')
  await write('client/dist/index.d.ts', 'export {}')
  await write('dashboard/package.json', JSON.stringify(packageJson))
  await write('dashboard/package-lock.json', JSON.stringify(lock))
  await write('dashboard/make.mjs', make)
  await write('dashboard/page', 'first')
  await write('dist/main.js', "process.stdout.write('ready\\n')")
})

afterEach(async () => {
  await write('go', '')
  for (const child of running) child.kill()
  await expect
    .poll(() => readFile(join(clone, 'dist/.dashboard/lock')).catch(() => undefined))
    .toBeUndefined()
  await rm(clone, { recursive: true, force: true })
})

const write = (path: string, content: string) => writeFile(join(clone, path), content)

function start(script: string, environment: Record<string, string> = {}) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [script], { cwd: clone, env: { PATH, HOME, ...environment } })
  running.push(child)
  return child
}

async function run(script: string, environment?: Record<string, string>) {
  const child = start(script, environment)
  const both = async (stdout: Readable, stderr: Readable) =>
    (await Promise.all([text(stdout), text(stderr)])).join('')
  const [output, [code]] = await Promise.all([both(child.stdout, child.stderr), once(child, 'exit')])
  return { output, code }
}

const build = 'dashboard/export/build.mjs'

async function built(): Promise<string | undefined> {
  const manifest = await readFile(join(clone, 'dist/dashboard/manifest.json'), 'utf8').catch(() => undefined)
  if (manifest === undefined) return undefined
  return readFile(
    join(clone, 'dist/dashboard/objects', JSON.parse(manifest).files['index.html'].sha256),
    'utf8',
  )
}

const builds = async () => (await readFile(join(clone, 'builds'), 'utf8').catch(() => '')).length

it('builds it once while nothing changes', async () => {
  expect(await run(build)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Built the dashboard in'),
  })
  expect(await built()).toBe('first')
  expect((await run(build)).output).toBe('The dashboard is up to date.\n')
  expect(await builds()).toBe(1)
})

it.each(['dashboard/page', 'client/dist/index.d.ts', 'dashboard/new'])(
  'builds it again where %s changed',
  async (file) => {
    await run(build)
    await write(file, 'second')
    await run(build)
    expect(await builds()).toBe(2)
    expect(await built()).toBe(file === 'dashboard/page' ? 'second' : 'first')
  },
)

it('builds it once where two begin at once', async () => {
  const both = await Promise.all([run(build), run(build)])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(await builds()).toBe(1)
})

it('leaves what was there where it fails, says so, and tries again the next time', async () => {
  await run(build)
  await write('dashboard/make.mjs', 'process.exit(3)')
  expect(await run(build)).toMatchObject({
    code: 1,
    output: expect.stringContaining('The dashboard was not built'),
  })
  expect(await built()).toBe('first')
  await write('dashboard/make.mjs', make)
  await write('dashboard/page', 'second')
  await run(build)
  expect(await built()).toBe('second')
})

it('is built after a build that was killed', { tags: 'long' }, async () => {
  await write('wait', '')
  const killed = start(build)
  await expect.poll(builds, { timeout: 20_000 }).toBe(1)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await rm(join(clone, 'wait'))
  expect(await run(build)).toMatchObject({ code: 0 })
  expect(await built()).toBe('first')
})

it('the start of a node does not wait for it, prints nothing of it, and begins one only', async () => {
  await write('wait', '')
  expect(await run('build/start.mjs')).toEqual({ output: 'ready\n', code: 0 })
  await expect.poll(builds, { timeout: 20_000 }).toBe(1)
  expect((await run('build/start.mjs')).output).toBe('ready\n')
  expect(await built()).toBeUndefined()
  await write('go', '')
  await expect.poll(built, { timeout: 20_000 }).toBe('first')
  const log = () => readFile(join(clone, 'dist/.dashboard/build.log'), 'utf8')
  // The build's last line follows the files.
  await expect.poll(log, { timeout: 20_000 }).toContain('Built the dashboard')
  expect((await run('build/start.mjs')).output).toBe('ready\n')
  expect(await builds()).toBe(1)
})

it('ends with a node that fails to start, with all of its processes', { tags: 'long' }, async () => {
  await write('wait', '')
  await write('dist/main.js', failing)
  const started = run('build/start.mjs')
  await expect.poll(builds, { timeout: 20_000 }).toBe(1)
  const building = connect(join(clone, 'socket'))
  // A process that is ended may cut its connections off.
  building.on('error', () => {})
  const closed = new Promise((resolve) => building.once('close', resolve))
  await once(building, 'connect')
  await write('fail', '')
  expect(await started).toEqual({ output: '', code: 1 })
  // The build's own process has ended, too.
  building.resume()
  await closed
  expect(await built()).toBeUndefined()
})

it('the start of a node builds none where it is switched off, in the environment or in .env', async () => {
  expect((await run('build/start.mjs', { SVC_DASHBOARD: 'off' })).output).toBe('ready\n')
  await write('.env', 'SVC_DASHBOARD=off')
  expect((await run('build/start.mjs')).output).toBe('ready\n')
  expect(await builds()).toBe(0)
})
