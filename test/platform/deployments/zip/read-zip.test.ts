/** Which zips are accepted, and the errors for the others. */
import { randomUUID } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { readZip } from '../../../../src/platform/deployments/zip/read-zip.ts'
import { type ZipEntry, zipOf } from '../../../support/zip.ts'

const caps = { maxFiles: 10, maxFileBytes: 1_000_000, maxDeploymentBytes: 2_000_000 }

async function read(zip: Buffer, at = caps) {
  const path = join(inject('directory'), `${randomUUID()}.zip`)
  await writeFile(path, zip)
  const file = await open(path)
  onTestFinished(() => file.close())
  return readZip(file.fd, at)
}

/** The content of each file, by its path. */
async function contentsOf(entries: ZipEntry[]): Promise<Record<string, string>> {
  const files = await read(zipOf(entries))
  const contents = files.map(
    async ({ path, content }) => [path, (await buffer(content())).toString()] as const,
  )
  return Object.fromEntries(await Promise.all(contents))
}

const large = 'x'.repeat(500_000) + Math.random()

it.each<[string, Omit<ZipEntry, 'path'>]>([
  ['deflated', {}],
  ['stored', { isDeflated: false }],
  ['whose sizes follow the data', { hasDescriptor: true }],
  ['with 64-bit sizes', { isZip64: true }],
  ['without a file type', { mode: 0 }],
])('reads files %s, small and large ones', async (_what, how) => {
  const entries = [
    { path: 'index.html', content: 'hello', ...how },
    { path: 'a/b/large.txt', content: large, ...how },
    { path: 'empty', content: '', ...how },
  ]
  expect(await contentsOf(entries)).toEqual({ 'index.html': 'hello', 'a/b/large.txt': large, empty: '' })
})

it('ignores directories and what macOS adds, and decodes names from Windows and macOS', async () => {
  const entries = [
    { path: 'a/', mode: 0o040_755 },
    { path: 'a\\b.html', content: '1' },
    { path: 'u\u0308.html', content: '2' },
    { path: '__MACOSX/._b.html', content: '3' },
    { path: 'a/.DS_Store', content: '4' },
    { path: '._a', content: '5' },
    { path: './a/._b.html', content: '6' },
  ]
  expect(await contentsOf(entries)).toEqual({ 'a/b.html': '1', '\u00fc.html': '2' })
})

it('reads names that begin with ./, as of bsdtar, from the root', async () => {
  const entries = [
    { path: './', mode: 0o040_755 },
    { path: './index.html', content: '1' },
    { path: './/a/b.html', content: '2' },
    { path: '././c.html', content: '3' },
    { path: '.\\d.html', content: '4' },
    link('./e.html', './a/../c.html'),
  ]
  expect(await contentsOf(entries)).toEqual({
    'index.html': '1',
    'a/b.html': '2',
    'c.html': '3',
    'd.html': '4',
    'e.html': '3',
  })
})

const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('the name of a file', () => {
  it.each<[string, Omit<ZipEntry, 'path'>, string]>([
    ['UTF-8 that says so', {}, '\u00fcn\u00ef.txt'],
    ['UTF-8 that doesn’t, as of macOS', { rawName: Buffer.from('u\u0308ni\u0308.txt') }, '\u00fcn\u00ef.txt'],
    [
      'UTF-8 that doesn’t, in Japanese',
      { rawName: Buffer.from('\u65e5\u672c/\ud83d\ude00.txt') },
      '\u65e5\u672c/\ud83d\ude00.txt',
    ],
    ['ASCII', { rawName: Buffer.from('a.txt') }, 'a.txt'],
    ['CP437, as of old programs', { rawName: latin1('\x81\x84\x9b.txt') }, '\u00fc\u00e4\u00a2.txt'],
    ['CP437 with its box drawing', { rawName: latin1('\xc9\xcd\xbb') }, '\u2554\u2550\u2557'],
    [
      'Info-ZIP’s field beside another name',
      { rawName: latin1('\x81.txt'), unicodePath: { path: '\u4e2d\u6587.txt' } },
      '\u4e2d\u6587.txt',
    ],
    [
      'Info-ZIP’s field of a name that has changed since',
      { rawName: latin1('\x81.txt'), unicodePath: { path: 'old.txt', of: Buffer.from('other') } },
      '\u00fc.txt',
    ],
  ])('may be in %s', async (_what, entry, path) => {
    const files = await read(zipOf([{ path: '\u00fcn\u00ef.txt', ...entry }]))
    expect(files.map(({ path }) => path)).toEqual([path])
  })

  it('is refused where two encodings give the same', async () => {
    const entries = [{ path: '\u00fc' }, { path: '', rawName: Buffer.from('u\u0308') }]
    await expect(read(zipOf(entries))).rejects.toThrow(/is there more than once/)
  })
})

const link = (path: string, content: string) => ({ path, content, mode: 0o120_777 })

describe('a link', () => {
  it('to a file of the zip is that file, also over other links', async () => {
    const entries = [
      link('first.html', 'docs/a.html'),
      { path: 'docs/a.html', content: 'a' },
      link('docs/up.html', './..//first.html'),
    ]
    expect(await contentsOf(entries)).toEqual({ 'first.html': 'a', 'docs/a.html': 'a', 'docs/up.html': 'a' })
  })

  it.each<[string, ZipEntry[]]>([
    ['an absolute path', [link('a', '/etc/passwd')]],
    ['a path outside', [link('a', '../a.html')]],
    ['a path outside that comes back', [link('a', '../site/index.html')]],
    ['nothing', [link('a', 'b')]],
    ['no name', [link('a', '')]],
    ['a folder', [link('a', 'docs'), { path: 'docs/b', content: '' }]],
    ['itself', [link('a', 'a')]],
    ['one that leads back', [link('a', 'b'), link('b', 'a')]],
    ['a folder that leads outside', [link('a', '..'), link('b', 'a/index.html')]],
  ])('to %s is refused by name', async (_what, links) => {
    const entries = [{ path: 'index.html', content: 'hello' }, ...links]
    await expect(read(zipOf(entries))).rejects.toThrow(/zip: "[ab]" is a link, but not to a file of the zip/)
  })

  it('counts as another file', async () => {
    const entries = [{ path: 'a', content: 'x'.repeat(900_000) }, link('b', 'a'), link('c', 'a')]
    await expect(read(zipOf(entries))).rejects.toThrow(/has more than 2000000 bytes when unpacked/)
    const links = Array.from({ length: 10 }, (_, at) => link(`l${at}`, 'a'))
    await expect(read(zipOf([{ path: 'a', content: '' }, ...links]))).rejects.toThrow(/more than 10 files/)
    await expect(read(zipOf([{ path: 'a' }, link('b', 'a'), { path: 'b' }]))).rejects.toThrow(
      /more than once/,
    )
    await expect(read(zipOf([{ path: 'a' }, link('b', 'a'.repeat(5_000))]))).rejects.toThrow(
      /too long a target/,
    )
  })

  it('is one of as many as have a mebibyte of targets', async () => {
    const links = Array.from({ length: 1_100 }, (_, at) => link(`l${at}`, 'a/'.repeat(500)))
    const zip = zipOf([{ path: 'a' }, ...links])
    await expect(read(zip, { ...caps, maxFiles: 2_000 })).rejects.toThrow(/has too many links/)
  })
})

const many = Array.from({ length: 11 }, (_, i) => ({ path: `${i}` }))

it.each<[string, ZipEntry[], RegExp]>([
  ['way out', [{ path: '../a' }], /"\.\.\/a" must not contain a \.\. segment/],
  ['way out of a folder', [{ path: 'a/../../b' }], /must not contain a \.\. segment/],
  ['absolute path', [{ path: '/etc/passwd' }], /must be relative/],
  ['way out behind ./', [{ path: './../a' }], /"\.\.\/a" must not contain a \.\. segment/],
  ['way out for Windows', [{ path: '..\\a' }], /must not contain a \.\. segment/],
  ['control character', [{ path: 'a\u0001' }], /must not contain control characters/],
  ['device', [{ path: 'a', mode: 0o020_644 }], /"a" is a device/],
  ['encrypted file', [{ path: 'a', isEncrypted: true }], /"a" is encrypted/],
  ['other method', [{ path: 'a', claims: { method: 12 } }], /"a" is compressed by method 12/],
  ['name twice', [{ path: 'a' }, { path: 'a' }], /"a" is there more than once/],
  ['name twice after NFC', [{ path: '\u00fc' }, { path: 'u\u0308' }], /is there more than once/],
  ['name twice, once with ./', [{ path: 'a' }, { path: './a' }], /"a" is there more than once/],
  ['file that is too large', [{ path: 'a', claims: { size: 1_000_001 } }], /"a" has more than 1000000 bytes/],
  [
    'total that is too large',
    ['a', 'b', 'c'].map((path) => ({ path, claims: { size: 900_000 } })),
    /has more than 2000000 bytes when unpacked/,
  ],
  ['file too many', many, /has more than 10 files/],
  ['wrong size of a stored file', [{ path: 'a', isDeflated: false, claims: { size: 9 } }], /can not be read/],
  ['length beyond its end', [{ path: 'a', claims: { size: 2 ** 40 }, isZip64: true }], /has more than/],
  ['nothing but folders', [{ path: './' }, { path: 'a/' }], /has no files/],
  ['nothing', [], /has no files/],
])('refuses a zip with a %s before it is inflated', async (_what, entries, message) => {
  await expect(read(zipOf(entries))).rejects.toThrow(message)
  await expect(read(zipOf(entries))).rejects.toMatchObject({ reason: 'invalid_input' })
})

it('names a path of 64 KiB by its beginning', async () => {
  const path = 'x'.repeat(65_000)
  const refused = await read(zipOf([{ path, content: '' }])).catch((error: Error) => error)
  expect(refused).toMatchObject({ message: expect.stringMatching(/^zip: "x{100}…" must have at most/) })
})

it('refuses more entries than any deployment has files, without reading them', async () => {
  await expect(read(zipOf([], { entries: 60_000 }))).rejects.toThrow(/has 60000 entries/)
})

it.each([
  ['empty', Buffer.alloc(0)],
  ['text', Buffer.from('PK no zip')],
  ['cut off', zipOf([{ path: 'a', content: 'a' }]).subarray(0, 60)],
])('refuses a file that is not a zip: %s', async (_what, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({
    reason: 'invalid_input',
    message: expect.stringMatching(/^zip: can not be read: /),
  })
})

it.each<[string, ZipEntry, RegExp]>([
  ['more than it says, small', { path: 'a', content: 'hello', claims: { size: 3 } }, /"a" can not be read/],
  [
    'more than it says, large',
    { path: 'a', content: large, claims: { size: 70_000 } },
    /"a" can not be read/,
  ],
  ['less than it says', { path: 'a', content: 'hello', claims: { size: 9 } }, /smaller than the zip says/],
  [
    'less than it says, large',
    { path: 'a', content: large, claims: { size: 600_000 } },
    /"a" can not be read/,
  ],
  ['another checksum', { path: 'a', content: 'hello', claims: { checksum: 1 } }, /its checksum is wrong/],
  [
    'another checksum, large',
    { path: 'a', content: large, claims: { checksum: 1 } },
    /its checksum is wrong/,
  ],
  ['no end', { path: 'a', content: 'a', claims: { compressedSize: 9_999 } }, /"a" can not be read/],
])('fails when a file is read that has %s', async (_what, entry, message) => {
  const [file] = await read(zipOf([entry]))
  if (!file) throw new Error('no file')
  await expect(buffer(file.content())).rejects.toThrow(message)
  await expect(buffer(file.content())).rejects.toMatchObject({ reason: 'invalid_input' })
})
