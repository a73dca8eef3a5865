/** What a build left for its server comes to a node as it was. */
import { execFile } from 'node:child_process'
import { chmod, link, lstat, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { removeWorkspace, type Workspace } from '../../../../src/platform/sandbox/workspace.ts'
import { openKeptFiles } from '../../../../src/platform/servers/kept-files/kept-files.ts'
import { unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { createCleanUps } from '../../../support/clean-ups.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'
import { newWorkspace } from '../../builds/build.ts'
import { collect, insertKept } from './keep.ts'

const run = promisify(execFile)
const cleanUps = createCleanUps()

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

async function makeWorkspace(): Promise<Workspace> {
  const workspace = await newWorkspace()
  onTestFinished(() => removeWorkspace(workspace))
  return workspace
}

async function put(path: string, content: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  await chmod(path, mode)
}

async function linkTo(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

/** The directory of the files on a node, until the test ends. */
async function bringBack(workspace: Workspace, directory = '.'): Promise<string> {
  const { id: teamId } = await newTeam(node)
  const manifestId = await insertKept(node, teamId, await collect(node, teamId, workspace, { directory }))
  const files = await openKeptFiles({
    db: node.installation.store.db,
    blobs: node.installation.origin,
    root: join(await cleanUps.newDirectory(), 'files'),
    maxBytes: 100_000_000,
    disk: unreserved,
    nowMs: Date.now,
  })
  onTestFinished(() => files.close())
  return (await files.take(manifestId, new AbortController().signal)).directory
}

async function problemOf(workspace: Workspace, options: Parameters<typeof collect>[3] = {}): Promise<string> {
  const { id: teamId } = await newTeam(node)
  const kept = await collect(node, teamId, workspace, options)
  return 'problem' in kept ? kept.problem : 'none'
}

describe('the files of a server', () => {
  it('come back with their links, and with the bits by which they may be executed', async () => {
    const workspace = await makeWorkspace()
    const { files } = workspace
    await put(join(files, 'server.js'), 'server')
    await put(join(files, 'bin/run'), '#!/bin/sh\n', 0o755)
    await put(join(files, 'large.bin'), 'x'.repeat(3_000_000))
    await link(join(files, 'server.js'), join(files, 'same.js'))
    await linkTo('../server.js', join(files, 'bin/server'))
    await linkTo('bin', join(files, 'tools'))
    const there = await bringBack(workspace)
    expect(await readFile(join(there, 'tools/server'), 'utf8')).toBe('server')
    expect((await readFile(join(there, 'large.bin'))).length).toBe(3_000_000)
    expect(await readFile(join(there, 'same.js'), 'utf8')).toBe('server')
    expect(await readlink(join(there, 'bin/server'))).toBe('../server.js')
    const modes = Object.fromEntries(
      await Promise.all(
        ['.', 'bin', 'bin/run', 'server.js', 'large.bin'].map(async (path) => [
          path,
          (await lstat(join(there, path))).mode & 0o7777,
        ]),
      ),
    )
    expect(modes).toEqual({
      '.': 0o755,
      bin: 0o755,
      'bin/run': 0o555,
      'server.js': 0o444,
      'large.bin': 0o444,
    })
  })

  it('are those of a directory below, with links that the build knew by its own paths', async () => {
    const workspace = await makeWorkspace()
    const app = join(workspace.files, 'apps/web')
    await put(join(app, 'lib/index.js'), 'lib')
    await put(join(workspace.files, 'other/secret'), 'secret')
    await linkTo('/workspace/apps/web/lib', join(app, 'node_modules/inside'))
    await linkTo(join(app, 'lib'), join(app, 'node_modules/outside'))
    await linkTo('../web/lib', join(app, 'back'))
    const there = await bringBack(workspace, 'apps/web')
    expect(await readlink(join(there, 'node_modules/inside'))).toBe('../lib')
    expect(await readlink(join(there, 'node_modules/outside'))).toBe('../lib')
    expect(await readlink(join(there, 'back'))).toBe('lib')
    await linkTo('../../other/secret', join(app, 'secret'))
    expect(await problemOf(workspace, { directory: 'apps/web' })).toBe(
      'secret links to ../../other/secret, outside of the files of the server.',
    )
  })

  it('are in rows with links and bits', async () => {
    const workspace = await makeWorkspace()
    await put(join(workspace.files, '__proto__/a'), 'a', 0o755)
    await linkTo('a', join(workspace.files, '__proto__/__proto__'))
    await linkTo('__proto__', join(workspace.files, 'toString'))
    const { id: teamId } = await newTeam(node)
    const kept = await collect(node, teamId, workspace)
    expect(kept).toMatchObject({ bytes: 1, executables: ['__proto__/a'] })
    const [row] = await node.installation.store.db
      .select()
      .from(manifests)
      .where(eq(manifests.id, await insertKept(node, teamId, kept)))
    expect(row).toMatchObject({
      links: { '__proto__/__proto__': 'a', toString: '__proto__' },
      executables: ['__proto__/a'],
    })
  })
})

describe('packages', () => {
  it('of workspaces of npm run, with their commands', async () => {
    const workspace = await makeWorkspace()
    const { files } = workspace
    const manifest = (name: string, more = {}) => JSON.stringify({ name, version: '1.0.0', ...more })
    await put(join(files, 'package.json'), manifest('root', { workspaces: ['packages/*'], private: true }))
    await put(
      join(files, 'packages/lib/package.json'),
      manifest('@me/lib', { bin: { say: 'cli.js' }, main: 'index.js' }),
    )
    await put(join(files, 'packages/lib/index.js'), "module.exports = 'from lib'")
    const cli = "#!/usr/bin/env node\nconsole.log('cli ' + require('./index.js'))\n"
    await put(join(files, 'packages/lib/cli.js'), cli, 0o755)
    await put(join(files, 'packages/app/package.json'), manifest('app', { dependencies: { '@me/lib': '*' } }))
    await put(join(files, 'packages/app/server.js'), "console.log(require('@me/lib'))")
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], {
      cwd: files,
      env: { ...process.env, npm_config_cache: join(workspace.home, '.npm') },
    })
    const there = await bringBack(workspace)
    const server = await run(process.execPath, [join(there, 'packages/app/server.js')])
    expect(server.stdout).toBe('from lib\n')
    expect((await run(join(there, 'node_modules/.bin/say'))).stdout).toBe('cli from lib\n')
  })

  it('as pnpm lays them out are found by those that need them', async () => {
    const workspace = await makeWorkspace()
    const modules = join(workspace.files, 'node_modules')
    const inStore = (name: string) => join(modules, '.pnpm', `${name}@1.0.0`, 'node_modules', name)
    await put(join(inStore('a'), 'index.js'), "module.exports = 'a needs ' + require('b')")
    await put(join(inStore('b'), 'index.js'), "module.exports = 'b'")
    await linkTo('../../b@1.0.0/node_modules/b', join(dirname(inStore('a')), 'b'))
    await linkTo('.pnpm/a@1.0.0/node_modules/a', join(modules, 'a'))
    await linkTo('../b@1.0.0/node_modules/b', join(modules, '.pnpm/node_modules/b'))
    await put(join(workspace.files, 'server.js'), "console.log(require('a'))")
    const there = await bringBack(workspace)
    expect((await run(process.execPath, [join(there, 'server.js')])).stdout).toBe('a needs b\n')
  })
})

describe('a problem with them', () => {
  it('is their number, their size, or that there are none', async () => {
    const workspace = await makeWorkspace()
    expect(await problemOf(workspace)).toBe('The build left nothing for the files of the server.')
    expect(await problemOf(workspace, { directory: 'dist' })).toMatch(/created no directory "dist"/)
    await put(join(workspace.files, 'a'), 'aaaa')
    await put(join(workspace.files, 'b'), 'bbbb')
    expect(await problemOf(workspace, { maxFiles: 1 })).toMatch(/more than 1 files and links/)
    expect(await problemOf(workspace, { maxFileBytes: 3 })).toMatch(/has more than 3 bytes/)
    expect(await problemOf(workspace, { maxDeploymentBytes: 7 })).toMatch(/more than 7 bytes/)
    expect(await problemOf(workspace, { maxDeploymentBytes: 8 })).toBe('none')
  })

  it('is a directory outside of the workspace', async () => {
    const workspace = await makeWorkspace()
    await linkTo('/etc', join(workspace.files, 'dist'))
    expect(await problemOf(workspace, { directory: 'dist' })).toMatch(/created no directory "dist"/)
    expect(await problemOf(workspace, { directory: '../../..' })).toMatch(/created no directory/)
  })
})
