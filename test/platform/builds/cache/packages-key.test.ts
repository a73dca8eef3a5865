/** When packages that were installed before may be used in place of an install. */
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { packagesKey } from '../../../../src/platform/builds/cache/packages-key.ts'

const vite = { version: '7.0.0', resolved: 'https://r.example/vite.tgz', integrity: 'sha512-AAAA' }
const esbuild = { ...vite, hasInstallScript: true }

type Project = {
  command?: string
  env?: Record<string, string>
  manifest?: Record<string, unknown>
  lock?: Record<string, unknown>
  packages?: Record<string, unknown>
  files?: Record<string, string>
}

/** The key of a project with one dependency, changed in some respect. */
async function keyOf({ command = 'npm ci', env = {}, manifest, lock, packages, files = {} }: Project = {}) {
  const directory = join(inject('directory'), randomUUID())
  await mkdir(directory)
  const dependencies = { vite: '^7.0.0' }
  const all: Record<string, string> = {
    'package.json': JSON.stringify({ name: 'site', dependencies, ...manifest }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies },
        'node_modules/vite': vite,
        'node_modules/esbuild': esbuild,
        ...packages,
      },
      ...lock,
    }),
    ...files,
  }
  for (const [name, content] of Object.entries(all)) await writeFile(join(directory, name), content)
  return packagesKey({ directory, command, env })
}

describe('installed packages', () => {
  it.each(['npm ci', ' npm ci ', 'npm install', 'npm i', 'npm ci --no-audit --no-fund'])(
    'are the same for the same lock file after `%s`',
    async (command) => {
      const key = await keyOf({ command })
      expect(key).toMatch(/^[0-9a-f]{64}$/)
      expect(await keyOf({ command, manifest: { scripts: { build: 'vite build' } } })).toBe(key)
    },
  )

  it.each([
    ['the lock file', { packages: { 'node_modules/vite': { ...vite, version: '7.0.1' } } }],
    ['the command', { command: 'npm install' }],
    ['overrides', { manifest: { overrides: { esbuild: '1.0.0' } } }],
    ['.npmrc', { files: { '.npmrc': 'omit=dev\n' } }],
    ['NODE_ENV', { env: { NODE_ENV: 'production' } }],
    ['a setting of npm', { env: { NPM_CONFIG_OMIT: 'dev' } }],
  ])('are others after a change of %s', async (_, change) => {
    const key = await keyOf(change)
    expect(key).toBeDefined()
    expect(key).not.toBe(await keyOf())
  })

  it.each([
    ['another command', { command: 'npm ci && npm run prepare' }],
    ['an option that is not known', { command: 'npm ci --omit=dev' }],
    ['another package manager', { command: 'pnpm install --frozen-lockfile' }],
    ['a script of the project', { manifest: { scripts: { postinstall: 'node make.js' } } }],
    ['workspaces', { manifest: { workspaces: ['packages/*'] } }],
    ['a link to another directory', { packages: { 'node_modules/a': { link: true, resolved: 'a' } } }],
    ['a package of another directory', { packages: { a: { integrity: 'sha512-AAAA' } } }],
    [
      'a script of a package that may write elsewhere',
      { packages: { 'node_modules/puppeteer': { ...vite, hasInstallScript: true } } },
    ],
    [
      'such a package below a harmless one',
      { packages: { 'node_modules/esbuild/node_modules/puppeteer': { ...vite, hasInstallScript: true } } },
    ],
    ['a package without a digest', { packages: { 'node_modules/a': { resolved: 'git+ssh://git@a/b.git' } } }],
    ['a native module of the project', { files: { 'binding.gyp': '{}' } }],
    ['npm-shrinkwrap.json', { files: { 'npm-shrinkwrap.json': '{}' } }],
    ['a lock file for other dependencies', { manifest: { dependencies: { vite: '^8.0.0' } } }],
    ['an old lock file', { lock: { lockfileVersion: 1 } }],
    ['a lock file that is none', { files: { 'package-lock.json': '{' } }],
  ])('are never used with %s', async (_, change) => {
    expect(await keyOf(change)).toBeUndefined()
  })

  it('are never used without a lock file', async () => {
    const directory = join(inject('directory'), randomUUID())
    await mkdir(directory)
    await writeFile(join(directory, 'package.json'), '{}')
    expect(await packagesKey({ directory, command: 'npm install', env: {} })).toBeUndefined()
  })
})
