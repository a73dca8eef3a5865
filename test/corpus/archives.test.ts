/** Archives as people's tools write them, by the command and, for zips, by the API. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { knowSecret } from '../support/kept-logs.ts'
import { type ZipEntry, zipOf } from '../support/zip.ts'
import { type Case, newCase, respond } from './steps.ts'

const kept = (name: string) => readFile(join(import.meta.dirname, 'archives', name))
const utf8 = (name: string, content: string): ZipEntry => ({
  path: name,
  rawName: Buffer.from(name),
  content,
})
const page = { path: 'index.html', content: 'home' }
const link = (path: string, content: string) => ({ path, content, mode: 0o120_777 })

const zips: [string, () => Promise<Buffer> | Buffer, Record<string, string>][] = [
  [
    'UTF-8 without its flag, by Info-ZIP (https://github.com/thejoshwolfe/yauzl/issues/84)',
    () => kept('utf8-name-without-flag.zip'),
    { 'ünï.txt': 'u\n' },
  ],
  [
    'UTF-8 in NFD without its flag, by macOS (https://github.com/weichsel/ZIPFoundation/issues/63)',
    () => zipOf([page, utf8('bilder/über.png'.normalize('NFD'), 'png')]),
    { 'bilder/über.png': 'png' },
  ],
  [
    'CP437 (APPNOTE, appendix D)',
    () =>
      zipOf([
        page,
        { path: 'x', rawName: Buffer.from([0x81, 0x84, 0x2e, 0x74, 0x78, 0x74]), content: 'old' },
      ]),
    { 'üä.txt': 'old' },
  ],
  [
    'Info-ZIP’s field (APPNOTE, 4.6.9)',
    () =>
      zipOf([
        page,
        { path: 'x', rawName: Buffer.from('_.txt'), unicodePath: { path: '日本.txt' }, content: 'jp' },
      ]),
    { '日本.txt': 'jp' },
  ],
  [
    'emoji without the flag (https://github.com/gildas-lormeau/zip.js/issues/131)',
    () => zipOf([page, utf8('🎉/party.txt', 'yes')]),
    { '🎉/party.txt': 'yes' },
  ],
  [
    'backslashes, by tools of Windows (https://github.com/thejoshwolfe/yauzl/issues/55)',
    () => zipOf([page, { path: 'a\\b.txt', content: 'b' }]),
    { 'a/b.txt': 'b' },
  ],
  [
    'names that begin with ./, by bsdtar (https://github.com/libarchive/libarchive/issues/2489)',
    () =>
      zipOf([
        { path: './', isDeflated: false, mode: 0o040_755 },
        { path: './index.html', content: 'home' },
        { path: './css/', isDeflated: false, mode: 0o040_755 },
        { path: './css/a.css', content: 'a' },
      ]),
    { 'css/a.css': 'a' },
  ],
  [
    'links to files of the archive (Info-ZIP, zip --symlinks)',
    () =>
      zipOf([
        page,
        link('latest.html', 'v2/page.html'),
        { path: 'v2/page.html', content: 'two' },
        link('v2/home.html', '../index.html'),
      ]),
    { 'latest.html': 'two', 'v2/home.html': 'home' },
  ],
]

async function byCommand({ home, svc }: Case, name: string, bytes: Buffer) {
  await writeFile(join(home, 'work', name), bytes)
  return svc(['deploy', name, '--project', 'web'])
}

async function byApi({ node, team }: Case, bytes: Buffer) {
  knowSecret('a credential', team.ownerKey)
  const response = await fetch(`${node.apiUrl}/v1/deployments?project=web`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/zip' },
    body: bytes,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function expectFiles(url: string, files: Record<string, string>) {
  for (const [path, body] of Object.entries(files)) {
    const target = `/${path.split('/').map(encodeURIComponent).join('/')}`
    expect({ path, ...(await respond(url, target.replace(/\.html$/, ''))) }).toMatchObject({
      path,
      status: 200,
      body,
    })
  }
}

describe.each(zips)('a zip with %s', (_what, make, files) => {
  it('is deployed by the command', async () => {
    const { code, stdout, stderr } = await byCommand(await newCase(), 'site.zip', await make())
    expect({ code, stderr }).toMatchObject({ code: 0 })
    await expectFiles(stdout.trim(), files)
  })

  it('is deployed by the API', async () => {
    const { status, body } = await byApi(await newCase(), await make())
    expect({ status, body }).toMatchObject({ status: 200 })
    await expectFiles(body.url, files)
  })
})

type TarEntry = Parameters<typeof packTar>[0][number]
const tarFile = (name: string, body: string): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
})
const tarLink = (name: string, linkname: string, type: 'link' | 'symlink'): TarEntry => ({
  header: { name, linkname, type, size: 0 },
})

const tars: [string, () => Promise<Buffer>, Record<string, string>][] = [
  [
    'hard links, by tar (https://github.com/npm/cli/issues/7608)',
    () => kept('hardlink.tgz'),
    { 'a.txt': 'same\n', 'b.txt': 'same\n' },
  ],
  [
    'hard links below directories (https://github.com/pnpm/pnpm/issues/7062)',
    () =>
      tgz([
        tarFile('./store/a.js', 'js'),
        tarLink('./pkg/b.js', './store/a.js', 'link'),
        tarFile('./index.html', 'home'),
      ]),
    { 'store/a.js': 'js', 'pkg/b.js': 'js' },
  ],
  [
    'links to files of the archive (https://github.com/npm/pacote/issues/285)',
    () =>
      tgz([
        tarFile('index.html', 'home'),
        tarLink('docs/latest.txt', 'v2/a.txt', 'symlink'),
        tarFile('docs/v2/a.txt', 'a'),
      ]),
    { 'docs/latest.txt': 'a' },
  ],
  [
    'names in NFD (https://github.com/filesender/filesender/issues/2620)',
    () => tgz([tarFile('index.html', 'home'), tarFile('é.txt'.normalize('NFD'), 'e')]),
    { 'é.txt': 'e' },
  ],
]

async function tgz(entries: TarEntry[]): Promise<Buffer> {
  return gzipSync(await packTar(entries))
}

it.each(tars)('a tar with %s is deployed', async (_what, make, files) => {
  const { code, stdout, stderr } = await byCommand(await newCase(), 'site.tgz', await make())
  expect({ code, stderr }).toMatchObject({ code: 0 })
  await expectFiles(stdout.trim(), files)
})

describe('is refused, with the name of the file', () => {
  it.each<[string, ZipEntry[], RegExp]>([
    ['a parent', [page, { path: '../up.txt', content: 'x' }], /\.\.\/up\.txt/],
    ['an absolute path', [page, { path: '/etc/passwd', content: 'x' }], /\/etc\/passwd/],
    ['a link out of it', [page, link('out.txt', '../../etc/passwd')], /out\.txt/],
    [
      'a link to what is never deployed',
      [page, { path: '.env', content: 'A=1' }, link('pub.txt', '.env')],
      /pub\.txt/,
    ],
    ['two names that become one', [page, utf8('é.txt', '1'), utf8('é.txt'.normalize('NFD'), '2')], /é\.txt/],
  ])('a zip with %s', async (_what, entries, named) => {
    const { status, body } = await byApi(await newCase(), zipOf(entries))
    expect(status).toBe(400)
    expect(body.message).toMatch(named)
    const { code, stderr } = await byCommand(await newCase(), 'site.zip', zipOf(entries))
    expect(code).not.toBe(0)
    expect(stderr).toMatch(named)
  })
})
