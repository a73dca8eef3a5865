/** The package as users install it: its contents, and that the node and the command run from it. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { exportedFiles, finishExport } from '../support/dashboard.ts'
import { type Program, startOnWhatIsThere } from '../support/program.ts'
import { takesCompiled } from './takes-compiled.ts'

const run = promisify(execFile)

let directory = ''
let paths: string[] = []
let program: Program

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-packed-'))
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory]
  const [packed] = z
    .array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }))
    .parse(JSON.parse((await run('npm', pack)).stdout))
  paths = packed?.files.map(({ path }) => path) ?? []
  await install(join(directory, packed?.filename ?? ''))
  const dashboard = { root: directory, directory: join(directory, 'node_modules/svc/dist/dashboard') }
  await finishExport(dashboard, exportedFiles('packed'))
  program = await startOnWhatIsThere(
    { SVC_DATA_DIR: join(directory, 'data'), SVC_DASHBOARD: 'on' },
    join(directory, 'node_modules/svc/dist/main.js'),
  )
})

afterAll(async () => {
  await program.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** What npm does with the package, except that its dependencies are this directory's. */
async function install(archive: string): Promise<void> {
  const modules = join(directory, 'node_modules')
  await mkdir(join(modules, 'svc'), { recursive: true })
  await run('tar', ['-xzf', archive, '-C', join(modules, 'svc'), '--strip-components=1'])
  const manifest = z
    .object({ bin: z.object({ svc: z.string() }), dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(modules, 'svc/package.json'), 'utf8')))
  for (const name of Object.keys(manifest.dependencies)) {
    await mkdir(resolve(modules, name, '..'), { recursive: true })
    await symlink(resolve('node_modules', name), join(modules, name))
  }
  await mkdir(join(modules, '.bin'))
  await chmod(join(modules, 'svc', manifest.bin.svc), 0o755)
  await symlink(join('../svc', manifest.bin.svc), join(modules, '.bin/svc'))
}

const environment = () => ({
  PATH: process.env.PATH,
  HOME: directory,
  SVC_DATA_DIR: join(directory, 'data'),
  SVC_URL: program.apiUrl,
  SVC_TOKEN: program.key ?? '',
})

/** Runs the installed `svc`. */
async function svc(...args: string[]): Promise<string> {
  const file = join(directory, 'node_modules/.bin/svc')
  return (await run(file, args, { cwd: directory, env: environment() })).stdout
}

/** Runs it as `npx` does, which takes longer than most commands. */
async function npxSvc(...args: string[]): Promise<string> {
  return (await run('npx', ['--no-install', 'svc', ...args], { cwd: directory, env: environment() })).stdout
}

it('contains what is needed to run, and nothing else', () => {
  const wanted = new RegExp(
    `^(${[
      /dist\/(?!\.).*(\.c?js|\.d\.ts)/,
      /dist\/(database\.tar\.|svc\.t|client\.t)gz/,
      /dist\/guides\.json/,
      /dist\/dashboard\/(manifest\.json|objects\/[0-9a-f]{64}(\.br|\.gzip)?)/,
      /dist\/svc-program\.v[\d.]+-\w+\.bin/,
      /dist\/svc\.LICENSES\.txt/,
      /docs\/[\w-]+\.md/,
      /drizzle\/(\d+_\w+\.sql|meta\/_journal\.json)/,
      /examples\/.*/,
      /package\.json|README\.md|LICENSE/,
    ]
      .map(({ source }) => source)
      .join('|')})$`,
  )
  expect(paths.filter((path) => !wanted.test(path))).toEqual([])
  expect(paths).toEqual(
    expect.arrayContaining(['dist/main.js', 'dist/svc.cjs', 'dist/api/client/index.d.ts']),
  )
})

it('starts a node, and a command that calls it', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(await npxSvc('--version')).toBe(`${version}\n`)
  expect(await svc('--help')).toMatch(/^Usage: svc /)
  await svc('projects', 'add', 'web')
  expect(await svc('projects')).toMatch(/^web\thttp:\/\/web\.localhost:\d+\t-\t\d+s\n$/)
  expect(await svc('deploy', resolve('examples/hello/site'))).toMatch(/^http:\/\/hello-\w+\.localhost:\d+\n$/)
  expect(await svc('admin', 'key')).toMatch(/^svc_\w+\n$/)
})

it('serves the dashboard that is in the package', async () => {
  expect(await (await fetch(`${program.apiUrl}/`)).text()).toContain('<p>packed')
  expect(await (await fetch(`${program.apiUrl}/acme/web.txt?_rsc=1`)).text()).toBe('payload of project')
})

it('has a command that loads one file, with its program in it', { tags: 'long' }, async () => {
  const command = join(directory, 'node_modules/svc/dist/svc.cjs')
  const coverage = join(directory, 'coverage')
  const env = { ...environment(), NODE_V8_COVERAGE: coverage }
  await svc('projects', 'add', 'one')
  await run(process.execPath, [command, 'deploy', resolve('examples/hello/site'), '--project', 'one'], {
    env,
  })
  const [file = ''] = await readdir(coverage)
  const urls = (await readFile(join(coverage, file), 'utf8')).match(/"url":"file:[^"]+"/g)
  expect(urls).toEqual([`"url":"${pathToFileURL(await realpath(command)).href}"`])
})

it('has V8’s compiled code of the command, which also runs without it', { tags: 'long' }, async () => {
  const dist = join(directory, 'node_modules/svc/dist')
  const program = join(dist, 'svc-program.js')
  const compiled = join(dist, `svc-program.${process.version}-${process.arch}.bin`)
  expect(takesCompiled(program, compiled)).toBe(true)
  const cachedData = await readFile(compiled)
  for (const spoil of [() => writeFile(compiled, cachedData.subarray(100)), () => rm(compiled)]) {
    await spoil()
    expect(await svc('--help')).toMatch(/^Usage: svc /)
  }
  await writeFile(compiled, cachedData)
})

it('contains the licenses of the packages that are bundled into the command', async () => {
  const licenses = await readFile(join(directory, 'node_modules/svc/dist/svc.LICENSES.txt'), 'utf8')
  const names = [...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name)
  const ofClient = ['@trpc/client', '@trpc/server', 'eventsource', 'eventsource-parser']
  const ofArchives = ['modern-tar', 'pend', 'yauzl']
  const ofProtocol = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'zod']
  expect(names).toEqual(
    [
      ...[...ofClient, ...ofArchives, ...ofProtocol],
      ...['commander', 'ignore', 'ipaddr.js', 'p-limit', 'yocto-queue'],
    ].sort(),
  )
  expect(licenses.match(/Permission is hereby granted/g)).toHaveLength(names.length)
})
