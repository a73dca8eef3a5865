/** The workspace around a directory. */
import { chown, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, inject, it } from 'vitest'
import { workspaceAround } from '../../../src/cli/frameworks/place.ts'
import { sourcesIn } from '../../../src/cli/frameworks/recognize.ts'

let top: string

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(inject('directory'), 'place-')))
  await write({
    'package.json': '{"workspaces":["apps/*"],"packageManager":"pnpm@10.27.0"}',
    'apps/web/package.json': '{"devDependencies":{"vite":"6"}}',
  })
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await writeFile(join(top, path), content)
  }
}

it('is found without a repository, and below the root of one', async () => {
  const around = { root: top, folder: 'apps/web' }
  expect(await workspaceAround(join(top, 'apps/web'))).toEqual(around)
  await mkdir(join(top, '.git'))
  expect(await workspaceAround(join(top, 'apps/web'))).toEqual(around)
  expect(await workspaceAround(top)).toBeUndefined()
})

it('is found by a link to the package', async () => {
  await symlink(join(top, 'apps/web'), join(top, 'link'))
  expect(await workspaceAround(join(top, 'link'))).toEqual({ root: top, folder: 'apps/web' })
})

it('is not looked for above the root of a repository', async () => {
  await mkdir(join(top, 'apps/web/.git'))
  expect(await workspaceAround(join(top, 'apps/web'))).toBeUndefined()
})

it('gives the package its package manager', async () => {
  const sources = { framework: 'Vite', install: 'pnpm install', build: 'pnpm exec vite build' }
  expect(await sourcesIn(join(top, 'apps/web'))).toMatchObject(sources)
})

it('in a repository, a manifest above that can not be read is a failure that says where', async () => {
  await write({ 'package.json': '{' })
  expect(await sourcesIn(join(top, 'apps/web'))).toMatchObject({ install: 'npm install' })
  await mkdir(join(top, '.git'))
  await expect(sourcesIn(join(top, 'apps/web'))).rejects.toThrow(`In ${top}: package.json is not JSON`)
})

it.runIf(process.getuid?.() === 0)('of another user it has nothing sent', async () => {
  await chown(join(top, 'package.json'), 4_321, 4_321)
  expect(await workspaceAround(join(top, 'apps/web'))).toBeUndefined()
  await mkdir(join(top, '.git'))
  await expect(workspaceAround(join(top, 'apps/web'))).rejects.toThrow('package.json')
})
