/** `svc deploy` with an archive. */
import { once } from 'node:events'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { zipOf } from '../support/zip.ts'
import { newHome } from './svc.ts'

let node: TestNode
let team: TestTeam
let work: string
let temporary: string
let svc: (...args: string[]) => Promise<{ code: number; stdout: string; stderr: string }>

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const { home, svc: run } = await newHome()
  work = join(home, 'work')
  temporary = await mkdtemp(join(home, 'tmp-'))
  vi.stubEnv('TMPDIR', temporary)
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
  svc = (...args) => run(args, { env })
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const long = `${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(90)}.html`
const contents = { 'index.html': '<h1>Hello</h1>', 'a/b.html': 'b', [long]: 'deep' }

async function tarOf(): Promise<Buffer> {
  const folders = ['./', './a/'].map((name) => ({ header: { name, type: 'directory' as const, size: 0 } }))
  const files = Object.entries(contents).map(([name, body]) => ({
    header: { name: `./${name}`, size: Buffer.byteLength(body) },
    body,
  }))
  return Buffer.from(await packTar([...folders, ...files]))
}

/** What is left of what was unpacked. */
const left = () => readdir(temporary)

it.each([
  ['site.zip', async () => zipOf(Object.entries(contents).map(([path, content]) => ({ path, content })))],
  [
    'bsdtar.zip',
    async () => zipOf(Object.entries(contents).map(([path, content]) => ({ path: `./${path}`, content }))),
  ],
  ['site.tar', tarOf],
  ['site.tar.gz', async () => gzipSync(await tarOf())],
  ['site.TGZ', async () => gzipSync(await tarOf())],
])('deploys the files of %s, and leaves nothing behind', async (name, make) => {
  await writeFile(join(work, name), await make())
  const { code, stdout, stderr } = await svc('deploy', name, '--project', 'web', '--prod')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  for (const [path, body] of Object.entries(contents)) {
    expect(await visit(stdout.trim(), `/${path}`)).toEqual({ status: 200, body })
  }
  expect(await left()).toEqual([])
  expect(await readdir(work)).toEqual([name])
})

const macos = {
  'index.html': 'home',
  './._index.html': 'of macOS',
  'css/a.css': 'a',
  'css/._a.css': 'of macOS',
  '__MACOSX/._index.html': 'of macOS',
  '.DS_Store': 'of macOS',
}

it.each([
  ['site.zip', () => zipOf(Object.entries(macos).map(([path, content]) => ({ path, content })))],
  [
    'site.tgz',
    async () =>
      gzipSync(
        await packTar(
          Object.entries(macos).map(([name, body]) => ({ header: { name, size: body.length }, body })),
        ),
      ),
  ],
])('what macOS adds to %s is not deployed, without a word', async (name, make) => {
  await writeFile(join(work, name), await make())
  const { code, stdout, stderr } = await svc('deploy', name, '--project', 'web', '--prod')
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('._') })
  expect((await team.owner('GET', '/v1/deployments')).body.data).toMatchObject([{ files: 2, warnings: [] }])
  expect(await visit(stdout.trim(), '/')).toEqual({ status: 200, body: 'home' })
})

const link = (path: string, content: string) => ({ path, content, mode: 0o120_777 })

it.each([
  [
    'zip',
    () =>
      zipOf([
        link('first.html', 'a/deep/page.html'),
        { path: 'a/deep/page.html', content: 'page' },
        link('a/second.html', '../first.html'),
        { path: 'third.html', content: 'page' },
      ]),
  ],
  [
    'tar',
    async () =>
      Buffer.from(
        await packTar([
          { header: { name: 'first.html', size: 0, type: 'symlink', linkname: 'a/deep/page.html' } },
          { header: { name: './a/deep/page.html', size: 4 }, body: 'page' },
          { header: { name: 'a/second.html', size: 0, type: 'link', linkname: './a/deep/page.html' } },
          { header: { name: 'third.html', size: 0, type: 'link', linkname: 'a/second.html' } },
        ]),
      ),
  ],
])('a link of a %s to one of its files is that file', async (kind, make) => {
  await writeFile(join(work, `site.${kind}`), await make())
  const { code, stdout, stderr } = await svc('deploy', `site.${kind}`, '--project', 'web', '--prod')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  for (const path of ['first.html', 'a/second.html', 'third.html', 'a/deep/page.html']) {
    expect(await visit(stdout.trim(), `/${path}`), path).toEqual({ status: 200, body: 'page' })
  }
  expect(await left()).toEqual([])
})

it.each([
  ['zip', () => zipOf([{ path: 'a' }, { path: '.env', content: 'A=1' }, link('public.txt', '.env')])],
  [
    'tar',
    async () =>
      Buffer.from(
        await packTar([
          { header: { name: '.env', size: 3 }, body: 'A=1' },
          { header: { name: 'public.txt', size: 0, type: 'link', linkname: '.env' } },
        ]),
      ),
  ],
])('a link of a %s to what is never deployed is refused', async (kind, make) => {
  await writeFile(join(work, `site.${kind}`), await make())
  const { code, stdout, stderr } = await svc('deploy', `site.${kind}`, '--project', 'web')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/public\.txt is a link to \.env, which is not deployed/)
  expect(await left()).toEqual([])
})

async function tarWith(header: object, body = ''): Promise<Buffer> {
  const first = { header: { name: 'a.html', size: 1 }, body: 'a' }
  return Buffer.from(await packTar([first, { header: { name: 'b', size: body.length, ...header }, body }]))
}

const noFile = /tar: "b" is a link, but not to a file of the archive/

it.each<[string, string, () => Promise<Buffer> | Buffer, RegExp]>([
  ['a way out of a zip', 'a.zip', () => zipOf([{ path: '../a' }]), /a\.zip: zip: "\.\.\/a" must not contain/],
  [
    'a link out of a zip',
    'a.zip',
    () => zipOf([{ path: 'a' }, { path: 'b', content: '../a', mode: 0o120_777 }]),
    /zip: "b" is a link, but not to a file of the zip/,
  ],
  [
    'a way out of a tar',
    'a.tar',
    () => tarWith({ name: '../b' }),
    /"\.\.\/b" must not contain a \.\. segment/,
  ],
  ['an absolute path', 'a.tar', () => tarWith({ name: '/b' }), /must be relative/],
  ['a link out of it', 'a.tar', () => tarWith({ type: 'symlink', linkname: '/etc/passwd' }), noFile],
  ['a link up', 'a.tar', () => tarWith({ type: 'symlink', linkname: '../a.html' }), noFile],
  ['a link to nothing', 'a.tar', () => tarWith({ type: 'symlink', linkname: 'c' }), noFile],
  ['a link to itself', 'a.tar', () => tarWith({ type: 'symlink', linkname: 'b' }), noFile],
  ['a hard link to nothing', 'a.tar', () => tarWith({ type: 'link', linkname: 'c' }), noFile],
  ['a hard link out of it', 'a.tar', () => tarWith({ type: 'link', linkname: '/etc/passwd' }), noFile],
  ['a hard link up', 'a.tar', () => tarWith({ type: 'link', linkname: '../a.html' }), noFile],
  ['a device', 'a.tar', () => tarWith({ type: 'character-device' }), /"b" is a device/],
  ['a name twice', 'a.tar', () => tarWith({ name: 'a.html' }), /more than once/],
  ['a name twice, once with ./', 'a.tar', () => tarWith({ name: './/a.html' }), /more than once/],
  ['no tar', 'a.tar', () => Buffer.alloc(2_000, 'x'), /a\.tar: tar: can not be read/],
  ['no gzip', 'a.tgz', () => Buffer.from('hello'), /a\.tgz: tar: can not be read/],
])('ends with 2 for %s', async (_what, name, make, message) => {
  await writeFile(join(work, name), await make())
  const { code, stdout, stderr } = await svc('deploy', name, '--project', 'web')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(await left()).toEqual([])
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
})

it('leaves nothing behind when it is interrupted', async () => {
  await writeFile(join(work, 'site.zip'), zipOf([{ path: 'index.html', content: 'hello' }]))
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close().closeAllConnections())
  await once(silent, 'listening')
  const { port } = z.object({ port: z.number() }).parse(silent.address())
  const { svc: run } = await newHome()
  const { code } = await run(['deploy', 'site.zip', '--project', 'web'], {
    cwd: work,
    env: { SVC_URL: `http://127.0.0.1:${port}`, SVC_TOKEN: team.ownerKey, TMPDIR: temporary },
    started: (child) => void once(silent, 'request').then(() => child.kill('SIGINT')),
  })
  expect(code).toBe(130)
  expect(await left()).toEqual([])
})
