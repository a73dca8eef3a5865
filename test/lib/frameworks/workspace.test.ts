/** Workspaces, by their patterns. */
import { expect, it } from 'vitest'
import { findWorkspace } from '../../../src/lib/frameworks/workspace.ts'
import { type Files, foundOf } from './found-of.ts'

const npm = (...workspaces: string[]) => ({ 'package.json': { workspaces } })
const pnpm = (text: string) => ({ 'pnpm-workspace.yaml': text })

it.each<[string, Files]>([
  ['npm', npm('packages/*', 'apps/*')],
  ['npm, by its path', npm('./apps/web/')],
  ['npm, in braces', npm('{apps,packages}/*')],
  ['npm, at any depth', npm('**')],
  ['npm, below a folder', npm('apps/**')],
  ['npm, by a part of its name', npm('a*s/w?b')],
  ['npm, but for others', npm('apps/*', '!apps/old')],
  ['Yarn 1', { 'package.json': { workspaces: { packages: ['apps/*'], nohoist: ['**'] } } }],
  ['pnpm', pnpm('packages:\n  - "packages/*" # shared\n\n  # sites\n  - apps/*\ncatalog:\n  vite: 6\n')],
  ['pnpm, without indentation', pnpm("packages:\r\n- 'apps/*'\r\n")],
  ['pnpm, in brackets', pnpm('packages: [ "apps/*",\n  packages/* ]')],
  ['pnpm, beside a manifest', { ...pnpm('packages:\n  - apps/*'), 'package.json': {} }],
])('the package is of a workspace of %s', async (_what, files) => {
  expect(await findWorkspace(foundOf(files, 'apps/web'), 'apps/web')).toEqual({
    root: '',
    folder: 'apps/web',
  })
})

it.each<[string, Files]>([
  ['nothing names it', {}],
  ['the patterns are of others', npm('packages/*', 'apps', 'apps/web/*', 'apps/we', 'b/apps/web')],
  ['it is taken out', npm('apps/*', '!apps/web')],
  ['it has a lock file of its own', { ...npm('apps/*'), 'apps/web/yarn.lock': '' }],
  ['the list is empty', pnpm('packages:\nonlyBuiltDependencies:\n  - apps/*')],
  ['the list is no list', { 'package.json': { workspaces: 'apps/*' } }],
  ['its pattern has too many alternatives', npm(`{${'a,'.repeat(60)}apps}/*`)],
])('the package is of none where %s', async (_what, files) => {
  expect(await findWorkspace(foundOf(files, 'apps/web'), 'apps/web')).toBeUndefined()
})

it('the nearest root counts, and a root is of none', async () => {
  const files = { ...npm('**'), 'apps/package.json': { workspaces: ['*'] } }
  expect(await findWorkspace(foundOf(files, 'apps/web'), 'apps/web')).toEqual({
    root: 'apps',
    folder: 'web',
  })
  expect(await findWorkspace(foundOf(files), '')).toBeUndefined()
})

it('a pattern that could match in very many ways is compared in no more steps', async () => {
  const folder = Array.from({ length: 100 }, () => 'a').join('/')
  const files = npm('**/a/'.repeat(39), `${'*a'.repeat(90)}b`)
  expect(await findWorkspace(foundOf(files, `${folder}/b`), `${folder}/b`)).toBeUndefined()
})
