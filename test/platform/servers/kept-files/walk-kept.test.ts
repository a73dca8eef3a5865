import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requireSame, walkKept } from '../../../../src/platform/servers/kept-files/walk-kept.ts'

const never = new AbortController().signal

async function newRoot(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'svc-kept-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'app'))
  return join(directory, 'app')
}

async function put(path: string, content = ''): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

const walk = (directory: string, { maxFiles = 50_000, seenAs = ['/workspace/app', directory] } = {}) =>
  walkKept({ directory, seenAs }, maxFiles, never)

const pathsIn = async (directory: string) => (await walk(directory)).files.map(({ path }) => path).toSorted()

describe('links', () => {
  it('are kept as they are where they stay inside', async () => {
    const root = await newRoot()
    await put(join(root, 'packages/lib/index.js'))
    await link('../packages/lib', join(root, 'node_modules/lib'))
    await link('../lib/index.js', join(root, 'node_modules/.bin/lib'))
    await link('.', join(root, 'self'))
    await link('not-installed/cli.js', join(root, 'node_modules/.bin/optional'))
    await link('./circle', join(root, 'circle'))
    const { files, links } = await walk(root)
    expect(files.map(({ path }) => path)).toEqual(['packages/lib/index.js'])
    expect(links).toEqual({
      'node_modules/lib': '../packages/lib',
      'node_modules/.bin/lib': '../lib/index.js',
      'node_modules/.bin/optional': 'not-installed/cli.js',
      self: '.',
      circle: './circle',
    })
  })

  it('become relative where they are absolute, or leave the root and come back', async () => {
    const root = await newRoot()
    await link('/workspace/app/packages/lib', join(root, 'node_modules/lib'))
    await link('/workspace/app', join(root, 'deep/er/root'))
    await link('/workspace/app/', join(root, 'root'))
    await link(join(root, 'a'), join(root, 'b'))
    await link('../app/packages/lib', join(root, 'back'))
    const { links } = await walk(root)
    expect(links).toEqual({
      'node_modules/lib': '../packages/lib',
      'deep/er/root': '../..',
      root: '.',
      b: 'a',
      back: 'packages/lib',
    })
  })

  it.each([
    ['/', '/'],
    ['/etc/passwd', '/etc/passwd'],
    ['../..', '../..'],
    ['../app-secret/file', '../app-secret/file'],
    ['/workspace', '/workspace'],
    ['/workspace/app/../x', '/workspace/app/../x'],
    ['/workspace/app2', '/workspace/app2'],
  ])('to %s are refused by name', async (target) => {
    const root = await newRoot()
    await put(join(root, 'index.js'))
    await link(target, join(root, 'x'))
    await expect(walk(root)).rejects.toThrow(`x links to ${target}, outside of the files of the server.`)
  })

  it('that lead out through others are refused', async () => {
    const root = await newRoot()
    await link('../..', join(root, 'deep/er/up'))
    await link('deep/er/up/..', join(root, 'out'))
    await expect(walk(root)).rejects.toThrow(
      'out links to deep/er/up/.., outside of the files of the server.',
    )
  })

  it('with a target that is no text are refused', async () => {
    const root = await newRoot()
    await symlink(Buffer.from([0x61, 0xff]), join(root, 'bytes'))
    await expect(walk(root)).rejects.toThrow('The target of the link bytes in')
    await rm(join(root, 'bytes'))
    await symlink('line\nbreak', join(root, 'line'))
    await expect(walk(root)).rejects.toThrow('The target of the link line in')
  })

  it('are as many as files may be', async () => {
    const root = await newRoot()
    await Promise.all(Array.from({ length: 20_000 }, (_, i) => symlink('.', join(root, `${i}`))))
    expect(Object.keys((await walk(root)).links).length).toBe(20_000)
    await expect(walk(root, { maxFiles: 19_999 })).rejects.toThrow('more than 19999 files and links')
  })

  it('that were directories when they were listed are not followed', async () => {
    const root = await newRoot()
    await put(join(root, 'a/secret'), 'x')
    const source = join(root, 'a/secret')
    await expect(requireSame('a/secret', source)).resolves.toBeUndefined()
    await rename(join(root, 'a'), join(root, '../elsewhere'))
    await symlink('../elsewhere', join(root, 'a'))
    await expect(requireSame('a/secret', source)).rejects.toThrow('a/secret in the files of the server is')
    await expect(walkKept({ directory: join(root, 'a'), seenAs: [] }, 10, never)).rejects.toThrow('no longer')
  })
})

describe('files', () => {
  it('have any name that a package gives them', async () => {
    const names = [
      '@scope/pkg/index.js',
      'app/[...slug].js',
      'with space.js',
      '.hidden',
      'dot.',
      'ü',
      'q\'"$(x)',
    ]
    const root = await newRoot()
    for (const name of names) await put(join(root, name))
    expect(await pathsIn(root)).toEqual(names.toSorted())
  })

  it.each([
    ['line\nbreak', /line␊break of the files of the server must not contain control characters/],
    ['back\\slash', /must use \/ between its segments/],
    ['nfd-u\u0308', /must be in Unicode normalization form C/],
  ])('called %j are refused by name', async (name, problem) => {
    const root = await newRoot()
    await put(join(root, 'dir', name))
    await expect(walk(root)).rejects.toThrow(problem)
  })

  it('with names that are no text are refused', async () => {
    const root = await newRoot()
    await mkdir(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]))
    await expect(walk(root)).rejects.toThrow('is not UTF-8')
  })

  it('deeper than a path may be long are refused', async () => {
    const root = await newRoot()
    execFileSync('sh', ['-c', 'for i in $(seq 600); do mkdir d; cd d; done'], { cwd: root })
    await expect(walk(root)).rejects.toThrow('must have at most 1024 bytes')
    execFileSync('rm', ['-rf', root])
  })

  it('are no pipes and no sockets', async () => {
    const root = await newRoot()
    execFileSync('mkfifo', [join(root, 'pipe')])
    await expect(walk(root)).rejects.toThrow('pipe in the files of the server is not a file, but a device')
    await rm(join(root, 'pipe'))
    const server = createServer().listen(join(root, 'socket'))
    onTestFinished(() => void server.close())
    await expect(walk(root)).rejects.toThrow('socket in the files of the server is not a file')
  })

  it('have a bound for their directories, too', async () => {
    const root = await newRoot()
    for (let i = 0; i < 6; i += 1) await mkdir(join(root, `${i}`))
    await expect(walk(root, { maxFiles: 5 })).rejects.toThrow('more than 5 directories')
  })
})

describe('what a server never reads', () => {
  it('is left out', async () => {
    const root = await newRoot()
    const left = [
      ...['.git/HEAD', 'packages/a/.git', 'node_modules/.cache/x', 'packages/a/node_modules/.cache/x'],
      ...['.next/cache/x', 'web/.next/cache/x', '.turbo/x', '.npm/x', '.pnpm-store/x', '.yarn/cache/x.zip'],
      ...['svc.json', '.svcignore'],
    ]
    const kept = [
      '.gitignore',
      '.next/server/x',
      'cache/x',
      'node_modules/cache/x',
      'web/svc.json',
      'yarn/cache/x',
    ]
    for (const path of [...left, ...kept]) await put(join(root, path))
    expect(await pathsIn(root)).toEqual(kept.toSorted())
  })

  it('are archives of Yarn, unless they are the packages', async () => {
    const root = await newRoot()
    await put(join(root, '.yarn/cache/x.zip'))
    await put(join(root, '.pnp.cjs'))
    expect(await pathsIn(root)).toEqual(['.pnp.cjs', '.yarn/cache/x.zip'])
  })
})
