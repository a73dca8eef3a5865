/** Builds have the package manager that their project names. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { provideManager } from '../../../../src/platform/builds/managers/provide-manager.ts'
import { removeWorkspace } from '../../../../src/platform/sandbox/workspace.ts'
import { type NpmPackage, type NpmRegistry, startNpmRegistry } from '../../sandbox/registries/npm-registry.ts'
import { build, exited, newWorkspace, testTimeout } from '../build.ts'

vi.setConfig({ testTimeout })

let registry: NpmRegistry

/** A program that says its name and what it is given. */
const program = (name: string) => `#!/bin/sh\necho "${name} $*"\n`

const packages: NpmPackage[] = [
  {
    name: 'pnpm',
    version: '10.27.0',
    bin: { pnpm: 'pnpm', pnpx: 'pnpx' },
    files: { pnpm: program('pnpm'), pnpx: program('pnpx') },
  },
  {
    name: '@yarnpkg/cli-dist',
    version: '4.5.0',
    bin: { yarn: 'bin/yarn.js' },
    files: { 'bin/yarn.js': program('yarn') },
  },
  {
    name: 'bun',
    version: '1.2.0',
    bin: { bun: 'bin/bun.exe', bunx: 'bin/bun.exe' },
    files: {
      'bin/bun.exe': program('not set up'),
      'install.js': `require('node:fs').writeFileSync('bin/bun.exe', ${JSON.stringify(program('bun'))})`,
    },
  },
]

const sha512 = (content: string | Buffer) => `sha512.${createHash('sha512').update(content).digest('hex')}`

beforeAll(async () => {
  registry = await startNpmRegistry(packages)
})
afterAll(() => registry.close())

/** How a build of these files ends, whose package is in `folder`. */
async function run(command: string, files: Record<string, string>, folder = '.') {
  const workspace = await newWorkspace()
  const own = { '.npmrc': `registry=https://127.0.0.1:${registry.port}/\n` }
  for (const [path, content] of Object.entries({ ...own, ...files })) {
    await mkdir(dirname(join(workspace.files, path)), { recursive: true })
    await writeFile(join(workspace.files, path), content)
  }
  const around = { isolation: 'none', network: 'host' } as const
  await provideManager(workspace, folder, { ...around, node: process.execPath })
  const env = { npm_config_strict_ssl: 'false', npm_config_fetch_retries: '0' }
  return build(command, { workspace, directory: folder, env, ...around })
}

const manifest = (packageManager: string) => ({ 'package.json': JSON.stringify({ packageManager }) })

it('is fetched once a build, in the version that package.json names, and the log says so', async () => {
  const before = registry.downloads()
  const { ended, text } = await run('pnpm one && pnpx two', manifest('pnpm@10.27.0'))
  expect([ended, text]).toEqual([
    exited(0),
    expect.stringMatching(/Fetching pnpm 10\.27\.0…\npnpm one\npnpx two$/),
  ])
  expect(registry.downloads()).toBe(before + 1)
})

it('is the one of the root for a package below; the digest is that of Yarn’s program', async () => {
  const files = { ...manifest(`yarn@4.5.0+${sha512(program('yarn'))}`), 'apps/web/package.json': '{}' }
  const { ended, lines } = await run('yarn build', files, 'apps/web')
  expect([ended, lines.at(-1)?.text]).toEqual([exited(0), 'yarn build'])
})

it('of another digest it is not run', async () => {
  const { ended, text } = await run('pnpm install', manifest(`pnpm@10.27.0+${sha512('another')}`))
  expect(ended).toEqual(exited(1))
  expect(text).toMatch(/pnpm 10\.27\.0 has another digest than packageManager in package\.json says: sha512/)
  expect(text).not.toContain('pnpm install')
})

it('is set up, where it is Bun', async () => {
  const { ended, lines } = await run('bunx x', manifest('bun@1.2.0'))
  expect([ended, lines.at(-1)?.text]).toEqual([exited(0), 'bun x'])
})

it('in a version that is nowhere, is named', async () => {
  const { ended, text } = await run('pnpm install', manifest('pnpm@9.9.9'))
  expect([ended, text]).toEqual([exited(1), expect.stringContaining('pnpm 9.9.9 could not be fetched.')])
})

it('of Yarn, has another name from 2 on', async () => {
  for (const [version, name] of [
    ['1.22.22', "'yarn' 'yarn' '1.22.22'"],
    ['3.8.7', "'yarn' '@yarnpkg/cli-dist' '3.8.7'"],
  ]) {
    const workspace = await newWorkspace()
    await writeFile(join(workspace.files, 'package.json'), `{"packageManager":"yarn@${version}"}`)
    await provideManager(workspace, '.', { isolation: 'none', network: 'host', node: process.execPath })
    expect(await readFile(join(workspace.home, '.svc/bin/yarn'), 'utf8')).toContain(name)
    await removeWorkspace(workspace)
  }
})

it('without a network nothing is provided, nor for npm', async () => {
  const workspace = await newWorkspace()
  await writeFile(join(workspace.files, 'package.json'), '{"packageManager":"pnpm@10.27.0"}')
  await provideManager(workspace, '.', { isolation: 'none', network: 'none', node: process.execPath })
  await writeFile(join(workspace.files, 'package.json'), '{"packageManager":"npm@11.0.0"}')
  await provideManager(workspace, '.', { isolation: 'none', network: 'host', node: process.execPath })
  expect(await readdir(workspace.home)).toEqual([])
  await removeWorkspace(workspace)
})
