/** What a build's directories become, and what a build can't make of them. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  access,
  appendFile,
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { type BuildCache, openBuildCache } from '../../../../src/platform/builds/cache/build-cache.ts'
import { linesOf } from '../../../../src/platform/builds/cache/lines.ts'
import { type CacheStore, openCacheStore } from '../../../../src/platform/builds/cache/store.ts'
import { removeWorkspace, type Workspace } from '../../../../src/platform/sandbox/workspace.ts'
import { unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { mebibyte, newWorkspace } from '../build.ts'

let store: CacheStore

beforeEach(async () => {
  store = await openCacheStore(join(inject('directory'), randomUUID()), {
    teamBytes: 4 * mebibyte,
    disk: unreserved,
  })
})

const never = new AbortController().signal

type Made = { files: string; workspace: Workspace; cache: BuildCache; said: string[] }

/** A build that is about to install, in a workspace of its own. */
async function begin({
  root_directory = '.',
  isolation = 'none' as 'none' | 'bubblewrap',
} = {}): Promise<Made> {
  const workspace = await newWorkspace(isolation)
  onTestFinished(() => removeWorkspace(workspace))
  const said: string[] = []
  const settings = { install_command: 'pip install a', build_command: 'true', output_directory: 'dist' }
  const job = { id: 'dpl_1', teamId: 'team_1', projectId: 'prj_1', build: { ...settings, root_directory } }
  const lines = linesOf({ target: 'production', meta: {}, untrusted: false })
  const log = createLogger({ write: () => {} })
  const work = { store, nowMs: Date.now, log, job, workspace, lines, say: (text: string) => said.push(text) }
  const cache = openBuildCache(work, {})
  if (!cache) throw new Error('The build has no cache.')
  return { files: workspace.files, workspace, cache, said }
}

/** A build that leaves something below `node_modules/.cache`, where its argument is. */
async function buildWith(leave: (directory: string) => Promise<void>): Promise<Made> {
  const made = await begin()
  const directory = join(made.files, 'node_modules/.cache')
  await mkdir(directory, { recursive: true })
  await leave(directory)
  await made.cache.save(never)
  return made
}

/** Another build, and where it finds that. */
async function next(): Promise<Made & { directory: string }> {
  const made = await begin()
  await made.cache.restorePackages(never)
  await made.cache.restoreResults(never)
  return { ...made, directory: join(made.files, 'node_modules/.cache') }
}

const isMissing = (path: string) =>
  access(path).then(
    () => false,
    () => true,
  )

describe('the next build', () => {
  it('finds the directories as they were, in a home of its own', async () => {
    const { cache, workspace } = await begin({ root_directory: 'app' })
    for (const path of [
      'files/app/.next/cache/a',
      'files/.pnpm-store/b',
      'home/.cache/pip/c',
      'files/app/d',
    ]) {
      await mkdir(dirname(join(workspace.directory, path)), { recursive: true })
      await writeFile(join(workspace.directory, path), path)
    }
    await chmod(join(workspace.directory, 'home/.cache/pip/c'), 0o750)
    await cache.save(never)
    const after = await begin({ root_directory: 'app' })
    await mkdir(join(after.files, 'app'))
    await after.cache.restorePackages(never)
    const at = (path: string) => join(after.workspace.directory, path)
    expect(await readFile(at('files/.pnpm-store/b'), 'utf8')).toBe('files/.pnpm-store/b')
    expect((await stat(at('home/.cache/pip/c'))).mode & 0o777).toBe(0o750)
    expect(await isMissing(at('files/app/.next'))).toBe(true)
    await after.cache.restoreResults(never)
    expect(await readFile(at('files/app/.next/cache/a'), 'utf8')).toBe('files/app/.next/cache/a')
    expect(await isMissing(at('files/app/d'))).toBe(true)
    expect(after.said).toEqual([
      'Restored the downloads of production (1 MB).',
      'Restored the build cache of production (1 MB).',
    ])
  })

  it('can’t change the cache, which another then finds as it was', async () => {
    await buildWith(async (directory) => {
      await writeFile(join(directory, 'a'), 'first')
      await link(join(directory, 'a'), join(directory, 'b'))
    })
    const { directory } = await next()
    await appendFile(join(directory, 'a'), ' and more')
    expect(await readFile(join((await next()).directory, 'a'), 'utf8')).toBe('first')
  })

  it('keeps its own files where the cache has others', async () => {
    await buildWith((directory) => writeFile(join(directory, 'a'), 'cached'))
    const made = await begin()
    await mkdir(join(made.files, 'node_modules/.cache'), { recursive: true })
    await made.cache.restoreResults(never)
    expect(await isMissing(join(made.files, 'node_modules/.cache/a'))).toBe(true)
  })

  it.runIf(process.getuid?.() === 0)('owns what it finds', async () => {
    await buildWith((directory) => writeFile(join(directory, 'a'), 'content'))
    const { cache, files, workspace } = await begin({ isolation: 'bubblewrap' })
    await cache.restoreResults(never)
    for (const path of ['node_modules', 'node_modules/.cache', 'node_modules/.cache/a'])
      expect((await stat(join(files, path))).uid).toBe(workspace.owner)
  })
})

describe('a build that plants something', () => {
  it('with a link in place of a cached directory has nothing saved from where it leads', async () => {
    const outside = join(inject('directory'), randomUUID())
    await mkdir(join(outside, '.cache'), { recursive: true })
    await writeFile(join(outside, '.cache/secret'), 'of the host')
    for (const [target, path] of [
      [outside, 'node_modules'],
      [join(outside, '.cache'), '.astro'],
    ] as const) {
      const { files, cache, said } = await begin()
      await symlink(target, join(files, path))
      await cache.save(never)
      expect(said).toEqual([])
    }
    expect(await readFile(join(outside, '.cache/secret'), 'utf8')).toBe('of the host')
    expect((await next()).said).toEqual(['No cache yet.'])
  })

  it('with a link on the way has nothing restored to where it leads', async () => {
    await buildWith((directory) => writeFile(join(directory, 'a'), 'cached'))
    const outside = join(inject('directory'), randomUUID())
    await mkdir(outside)
    const { files, cache } = await begin()
    await symlink(outside, join(files, 'node_modules'))
    await cache.restoreResults(never)
    expect(await isMissing(join(outside, '.cache'))).toBe(true)
  })

  it('with links in a cached directory has them kept as links', async () => {
    await buildWith((directory) => symlink('/etc/passwd', join(directory, 'a')))
    const { directory } = await next()
    expect((await lstat(join(directory, 'a'))).isSymbolicLink()).toBe(true)
    expect(await readlink(join(directory, 'a'))).toBe('/etc/passwd')
  })

  it('with a pipe has it left out', async () => {
    await buildWith(async (directory) => {
      execFileSync('mkfifo', [join(directory, 'pipe')])
      await writeFile(join(directory, 'a'), 'content')
    })
    const { directory } = await next()
    expect(await readFile(join(directory, 'a'), 'utf8')).toBe('content')
    expect(await isMissing(join(directory, 'pipe'))).toBe(true)
  })
})

describe('what is too large', () => {
  it('is not saved, and the log says so', async () => {
    const { said } = await buildWith((directory) =>
      writeFile(join(directory, 'a'), Buffer.alloc(3 * mebibyte, 1)),
    )
    expect(said).toEqual([
      expect.stringMatching(/^Not cached: the caches of the build have 3 MB and 2 files, more/),
    ])
    expect((await next()).said).toEqual(['No cache yet.'])
  })
})

describe('a failure', () => {
  it('to restore is a line of the log, and nothing half is left', async () => {
    await buildWith((directory) => writeFile(join(directory, 'a'), 'content'))
    const { files, cache, said } = await begin()
    // The way of the cached directory can't be created.
    await writeFile(join(files, 'node_modules'), '')
    await cache.restoreResults(never)
    expect(said).toEqual(['No cache yet.'])
  })

  it('of a signal ends every step with its reason', async () => {
    await buildWith((directory) => writeFile(join(directory, 'a'), 'content'))
    const { cache, files } = await begin()
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(cache.restorePackages(stopped)).rejects.toThrow('stopped')
    await expect(cache.restoreResults(stopped)).rejects.toThrow('stopped')
    await expect(cache.save(stopped)).rejects.toThrow('stopped')
    expect(await isMissing(join(files, 'node_modules'))).toBe(true)
  })
})
