/** The package managers that a host has. */
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, inject, it } from 'vitest'
import { findHostProgram } from '../../../../src/platform/builds/managers/host-program.ts'

let prefix: string

beforeEach(async () => {
  prefix = await mkdtemp(join(inject('directory'), 'host-'))
})

/** A program of a package, as npm installs it globally. */
async function install(name: string, program: string, manifest: string): Promise<void> {
  const path = join(prefix, 'lib/node_modules', name, program)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, '')
  await writeFile(join(prefix, 'lib/node_modules', name, 'package.json'), manifest)
  await mkdir(join(prefix, 'bin'), { recursive: true })
  await symlink(path, join(prefix, 'bin', dirname(name) === '@yarnpkg' ? 'yarn' : 'pnpm'))
}

const find = (name: 'pnpm' | 'yarn') => findHostProgram(name, [join(prefix, 'none'), join(prefix, 'bin')])

it('a program is of the version that its package says', async () => {
  await install('pnpm', 'bin/pnpm.cjs', '{"name":"pnpm","version":"9.15.0"}')
  await install('@yarnpkg/cli-dist', 'bin/yarn.js', '{"name":"@yarnpkg/cli-dist","version":"4.5.0"}')
  expect([await find('pnpm'), await find('yarn')]).toEqual([{ major: 9 }, { major: 4 }])
})

it('corepack is no package manager', async () => {
  await install('corepack', 'dist/pnpm.js', '{"name":"corepack","version":"0.34.0"}')
  expect(await find('pnpm')).toBeUndefined()
})

it('the version of a program alone is not known, nor of one in another package', async () => {
  await install('other', 'bin/pnpm', '{"name":"other","version":"9.0.0"}')
  await writeFile(join(prefix, 'bin/yarn'), '')
  expect([await find('pnpm'), await find('yarn')]).toEqual([{ major: undefined }, { major: undefined }])
})

it('without a program there is none', async () => {
  expect(await find('pnpm')).toBeUndefined()
})
