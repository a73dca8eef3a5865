/** The package manager of a project, by manifests and lock files from its folder up to the root. */
import { expect, it } from 'vitest'
import { managerOf } from '../../../src/lib/frameworks/package-manager.ts'
import { type Files, foundOf } from './found-of.ts'

const inWorkspace = { 'package.json': { workspaces: ['apps/*'] } }
const byField = (packageManager: string) => ({ 'package.json': { packageManager } })
const byEngines = (packageManager: object) => ({ 'package.json': { devEngines: { packageManager } } })

it.each<[string, Files, string, string]>([
  ['nothing', {}, 'npm', 'npm install'],
  ['a lock file of npm', { 'package-lock.json': '' }, 'npm', 'npm ci'],
  ['a shrinkwrap', { 'npm-shrinkwrap.json': '' }, 'npm', 'npm ci'],
  ['a lock file of pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm', 'pnpm install --frozen-lockfile'],
  ['a lock file of Yarn', { 'yarn.lock': '' }, 'yarn', 'yarn install'],
  ['a lock file of Bun', { 'bun.lock': '' }, 'bun', 'bun install --frozen-lockfile'],
  ['an older lock file of Bun', { 'bun.lockb': '' }, 'bun', 'bun install --frozen-lockfile'],
  ['the settings of pnpm alone', { 'pnpm-workspace.yaml': '' }, 'pnpm', 'pnpm install'],
  [
    'the settings of Yarn beside a lock file',
    { '.yarnrc.yml': '', 'package-lock.json': '' },
    'npm',
    'npm ci',
  ],
  [
    'a field against a lock file',
    { ...byField('yarn@4.5.0'), 'package-lock.json': '' },
    'yarn',
    'yarn install',
  ],
  [
    'a manager that nobody knows',
    { ...byField('deno@2.0.0'), 'bun.lock': '' },
    'bun',
    'bun install --frozen-lockfile',
  ],
  ['the field of engines', byEngines({ name: 'pnpm', version: '^10' }), 'pnpm', 'pnpm install'],
])('by %s', async (_what, files, name, install) => {
  expect(await managerOf(foundOf(files), '')).toMatchObject({ name, install })
})

it.each<[string, Files, string, string]>([
  [
    'the root of its workspace',
    { ...inWorkspace, 'pnpm-lock.yaml': '' },
    'pnpm',
    'pnpm install --frozen-lockfile',
  ],
  [
    'a folder above that is no workspace',
    { 'yarn.lock': '', 'package-lock.json': '' },
    'yarn',
    'yarn install',
  ],
  ['a lock file above that is not for it', { 'package-lock.json': '' }, 'npm', 'npm install'],
  [
    'its own lock file before one above',
    { 'yarn.lock': '', 'apps/web/package-lock.json': '' },
    'npm',
    'npm ci',
  ],
  ['a field above', { ...byField('pnpm@10.27.0'), 'apps/web/x': '' }, 'pnpm', 'pnpm install'],
])('of a folder by %s', async (_what, files, name, install) => {
  expect(await managerOf(foundOf(files, 'apps/web'), 'apps/web')).toMatchObject({ name, install })
})

it.each<[string, Files, object]>([
  ['a version', byField('pnpm@10.27.0'), { version: '10.27.0', digest: undefined }],
  [
    'a version and its digest',
    byField('yarn@4.5.0+sha512.0aff'),
    { version: '4.5.0', digest: 'sha512.0aff' },
  ],
  ['a version before the first', byField('pnpm@11.0.0-rc.1'), { version: '11.0.0-rc.1' }],
  ['a name alone', byField('pnpm'), { name: 'pnpm', version: undefined }],
  ['a word in place of a version', byField('yarn@berry'), { name: 'yarn', version: undefined }],
  ['a range', byEngines({ name: 'bun', version: '>=1.2 <2' }), { name: 'bun', version: '>=1.2 <2' }],
  ['what is no range', byEngines({ name: 'bun', version: '1; rm -rf /' }), { version: undefined }],
  [
    'the first of several',
    byEngines([{ name: 'yarn', version: '4' }, { name: 'npm' }]),
    { name: 'yarn', version: '4' },
  ],
])('in the version that a manifest names by %s', async (_what, files, expected) => {
  expect(await managerOf(foundOf(files), '')).toMatchObject(expected)
})

it('a manifest above that can not be read is named', async () => {
  const files = { 'package.json': '{', 'apps/web/package.json': {} }
  await expect(managerOf(foundOf(files, 'apps/web'), 'apps/web')).rejects.toThrow('package.json is not JSON')
})
