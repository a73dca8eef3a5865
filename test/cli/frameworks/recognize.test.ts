/** What lies in a directory: a site, or the sources of one. */
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, inject, it } from 'vitest'
import { sourcesIn } from '../../../src/cli/frameworks/recognize.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(inject('directory'), 'sources-'))
})

it('reads manifests and configurations, also in folders', async () => {
  await mkdir(join(directory, 'docs/.vitepress'), { recursive: true })
  await writeFile(join(directory, 'docs/.vitepress/config.mts'), "export default { outDir: './out' }")
  await writeFile(join(directory, 'package.json'), '\uFEFF{"devDependencies":{"vitepress":"1"}}')
  expect(await sourcesIn(directory)).toMatchObject({ framework: 'VitePress', output: 'docs/out' })
})

it('a manifest that can not be read is a failure that names it', async () => {
  await writeFile(join(directory, 'package.json'), '{')
  await expect(sourcesIn(directory)).rejects.toThrow('package.json is not JSON')
})

it('a manifest that is a link is a failure that names it', async () => {
  await symlink('/etc/hostname', join(directory, 'package.json'))
  await expect(sourcesIn(directory)).rejects.toThrow('package.json')
})

it('a directory that is not there is a site, which its reader refuses', async () => {
  expect(await sourcesIn(join(directory, 'missing'))).toBeUndefined()
})
