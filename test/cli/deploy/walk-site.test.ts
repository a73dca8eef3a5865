import { execFileSync } from 'node:child_process'
import { renameSync, symlinkSync } from 'node:fs'
import { link, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { walkSite } from '../../../src/cli/deploy/walk-site.ts'

const { signal } = new AbortController()
let root: string

beforeEach(async () => {
  vi.restoreAllMocks()
  root = await mkdtemp(join(inject('directory'), 'site-'))
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

const paths = async (directory = root) => (await walkSite(directory, signal)).map(({ path }) => path)

describe('the files of a site', () => {
  it('are all those below its directory, by path, with their sizes', async () => {
    await write({ 'b/ü.txt': 'zwölf', 'a.html': '', '.well-known/security.txt': 'x' })
    const files = await walkSite(root, signal)
    expect(files).toMatchObject([
      { path: '.well-known/security.txt', size: 1 },
      { path: 'a.html', size: 0 },
      { path: 'b/ü.txt', size: 6 },
    ])
  })

  it('exclude repositories, dependencies, secrets and what macOS adds', async () => {
    const left = {
      '.git/HEAD': '',
      '.env': 'KEY=1',
      '.env.local': '',
      'a/.env': '',
      '.svcignore': '',
      '.DS_Store': '',
      '._index.html': '',
      'a/._b.css': '',
      '__MACOSX/._index.html': '',
    }
    await write({
      ...left,
      'node_modules/x/index.js': '',
      'a/node_modules/x.js': '',
      '.svc/db/1': '',
      'index.html': '',
    })
    expect(await paths()).toEqual(['index.html'])
  })

  it('have the packages of an output that is complete with them, without secrets', async () => {
    await write({
      '.output/server/index.mjs': '',
      '.output/server/.env': '',
      '.output/server/node_modules/x/node_modules/y.js': '',
      '.output/other/node_modules/x.js': '',
      'node_modules/x.js': '',
    })
    const files = await walkSite(root, signal, '.output/server')
    expect(files.map(({ path }) => path)).toEqual([
      '.output/server/index.mjs',
      '.output/server/node_modules/x/node_modules/y.js',
    ])
    await write({ '.svcignore': 'node_modules\n' })
    expect(await walkSite(root, signal, '.output/server')).toHaveLength(1)
  })

  it('exclude what .svcignore lists, in the syntax of .gitignore', async () => {
    await write({
      '.svcignore': '# drafts\n*.draft.html\n/top/\n!kept.draft.html\n!.env.example\n',
      'x.draft.html': '',
      'kept.draft.html': '',
      'top/a.html': '',
      'b/top/a.html': '',
      '.env.example': '',
    })
    expect(await paths()).toEqual(['.env.example', 'b/top/a.html', 'kept.draft.html'])
  })

  it('are those of another directory when the directory is a symbolic link', async () => {
    await write({ 'a.html': '' })
    const link = join(await mkdtemp(join(inject('directory'), 'link-')), 'site')
    await symlink(root, link)
    expect(await paths(link)).toEqual(['a.html'])
  })

  it('may be symbolic links to files of the same site', async () => {
    await write({ 'a/real.txt': 'four' })
    await symlink('a/real.txt', join(root, 'link.txt'))
    expect(await walkSite(root, signal)).toMatchObject([
      { path: 'a/real.txt' },
      { path: 'link.txt', size: 4 },
    ])
  })

  it.each([
    ['a file outside', '/etc/passwd'],
    ['a directory', 'a'],
    ['nothing', 'gone.txt'],
    ['the directory above', '..'],
  ])('may not be a symbolic link to %s, unless it is ignored', async (_what, target) => {
    await write({ 'a/b.txt': '' })
    await symlink(target, join(root, 'link'))
    await expect(paths()).rejects.toThrow(/^link is a link, but not to a file of the site\. .*\.svcignore/)
    await write({ '.svcignore': 'link' })
    expect(await paths()).toEqual(['a/b.txt'])
  })

  it.each([
    ['.env', '.env'],
    ['.env', '.ENV.local'],
    ['.git/config', '.git/config'],
    ['.GIT/config', '.GIT/config'],
    ['node_modules/x/index.js', 'node_modules/x/index.js'],
    ['.svcignore', '.svcignore'],
    ['svc.json', 'svc.json'],
    ['a file that .svcignore lists', 'drafts/a.html'],
    ['a file in a directory that holds the data of a node', 'data/blobs/1'],
  ])('may not be a link to %s, which is not deployed itself', async (_what, target) => {
    await write({ '.svcignore': 'drafts/', 'index.html': '', 'data/encryption.key': '' })
    if (target !== '.svcignore') await write({ [target]: 'secret' })
    expect(await paths()).toEqual(['index.html'])
    await mkdir(join(root, 'a'))
    await symlink(`../${target}`, join(root, 'a/first'))
    await symlink('first', join(root, 'a/second'))
    await expect(paths()).rejects.toThrow(/^a\/(first|second) is a link to .*, which is not deployed\. /)
    await write({ '.svcignore': 'drafts/\n/a/' })
    expect(await paths()).toEqual(['index.html'])
  })

  it.each(['.env', '.git/objects/x', 'drafts/deep/a.html'])('may not be %s by a hard link', async (other) => {
    await write({ '.svcignore': 'drafts/', 'index.html': '', [other]: 'secret' })
    await link(join(root, 'index.html'), join(root, 'twice.html'))
    expect(await paths()).toEqual(['index.html', 'twice.html'])
    await link(join(root, other), join(root, 'notes.txt'))
    await expect(paths()).rejects.toThrow(`notes.txt is the same file as ${other}, which is not deployed.`)
  })

  it.each([
    '.GIT',
    '.Env',
    '.ENV.Local',
    'Node_Modules',
    '.git.',
    '.git ',
    '.g\u200cit',
    '.git::$DATA',
    'GIT~1',
    '.\u017fvc',
  ])('exclude %j, which file systems take for another name', async (name) => {
    await write({ [`${name}/x`]: '', 'index.html': '' })
    expect(await paths()).toEqual(['index.html'])
  })

  it('may not be a secret of the project around them by a hard link', async () => {
    await write({ 'svc.json': '{}', 'out/site/index.html': '', '.env': 'KEY=1' })
    await link(join(root, '.env'), join(root, 'out/site/notes.txt'))
    await expect(paths(join(root, 'out/site'))).rejects.toThrow(/^notes\.txt is the same file as .*\.env, /)
  })

  it.each([
    ['in a folder beside the site', 'api/.env'],
    ['in a repository beside the site', 'tools/.git/config'],
    ['in the data of a node beside the site', 'state/blobs/1'],
    ['svc.json', 'svc.json'],
  ])('may not be what is left out of the project around them: %s', async (_what, other) => {
    await write({ 'svc.json': '{}', 'out/site/index.html': '', 'state/encryption.key': '' })
    if (other !== 'svc.json') await write({ [other]: 'KEY=1' })
    await link(join(root, other), join(root, 'out/site/notes.txt'))
    await expect(paths(join(root, 'out/site'))).rejects.toThrow(
      `notes.txt is the same file as ../../${other}, which is not deployed.`,
    )
  })

  it('may not be what is left out of the working directory, where they are below it', async () => {
    await write({ '.env': 'KEY=1', 'dist/index.html': '' })
    await link(join(root, '.env'), join(root, 'dist/notes.txt'))
    vi.spyOn(process, 'cwd').mockReturnValue(root)
    await expect(paths(join(root, 'dist'))).rejects.toThrow('notes.txt is the same file as ../.env, ')
    await write({ 'dist/svc.json': '{}', 'dist/a/index.html': '' })
    await link(join(root, '.env'), join(root, 'dist/a/notes.txt'))
    await expect(paths(join(root, 'dist/a'))).rejects.toThrow('notes.txt is the same file as ../../.env, ')
  })

  it('may have other names that are deployed, or elsewhere but never left out', async () => {
    await write({ 'svc.json': '{}', 'site/a.html': '', 'store/b.html': '', 'node_modules/x/c.html': '' })
    await link(join(root, 'site/a.html'), join(root, 'site/a2.html'))
    await link(join(root, 'store/b.html'), join(root, 'site/b.html'))
    await link(join(root, 'node_modules/x/c.html'), join(root, 'site/c.html'))
    expect(await paths(join(root, 'site'))).toEqual(['a.html', 'a2.html', 'b.html', 'c.html'])
  })

  it('may be in a directory that is never deployed', async () => {
    await write({ 'svc.json': '{}', '.svc/site/a.html': '', 'b.html': '' })
    await link(join(root, 'b.html'), join(root, '.svc/site/b.html'))
    expect(await paths(join(root, '.svc/site'))).toEqual(['a.html', 'b.html'])
  })

  it('exclude only what .svcignore lists in the same case', async () => {
    const kept = ['Build/game.wasm', 'Docs/index.html', 'README.MD', 'docs.html']
    const left = ['build/a.js', 'docs', 'README.md']
    await write({ '.svcignore': 'build/\ndocs\n*.md\n' })
    await write(Object.fromEntries([...kept, ...left].map((path) => [path, ''])))
    expect(await paths()).toEqual(kept)
  })

  it('have their names in NFC, whatever the disk has', async () => {
    const spelled = 'bu\u0308cher/u\u0308ber.html'
    await write({ [spelled]: 'content', 'caf\u00e9.html': '' })
    await symlink(join(root, spelled), join(root, 'lin\u0303k.html'))
    const files = await walkSite(root, signal)
    expect(files).toMatchObject([
      { path: 'b\u00fccher/\u00fcber.html', absolute: join(root, spelled), size: 7 },
      { path: 'caf\u00e9.html' },
      { path: 'li\u00f1k.html', absolute: join(root, spelled), size: 7 },
    ])
  })

  it('are refused by both names where two become one', async () => {
    await write({ 'a/u\u0308.html': '1', 'a/\u00fc.html': '2' })
    await expect(paths()).rejects.toThrow(/^"a\/.*" and "a\/.*" are the same name on a site\. Rename one\.$/)
    await expect(paths()).rejects.toThrow('"a/u\\u{308}.html"')
    await expect(paths()).rejects.toThrow('"a/\u00fc.html"')
  })

  it('exclude what .svcignore lists in another form of Unicode', async () => {
    await write({ '.svcignore': 'ü.txt'.normalize('NFC'), ['ü.txt'.normalize('NFD')]: '', 'a.html': '' })
    expect(await paths()).toEqual(['a.html'])
  })

  it('exclude the data of a node, and are not found in its directory', async () => {
    await write({ 'a.html': '', 'state/encryption.key': '', 'state/blobs/1': '', 'base/PG_VERSION': '' })
    expect(await paths()).toEqual(['a.html'])
    await expect(paths(join(root, 'state'))).rejects.toThrow(/holds the data of a node/)
  })

  it.each<[string, (path: string) => unknown]>([
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a link', (path) => symlink('/dev/zero', path)],
    ['too large', (path) => writeFile(path, 'a\n'.repeat(200_000))],
  ])('are not searched for when .svcignore is %s', async (_what, make) => {
    await make(join(root, '.svcignore'))
    await expect(paths()).rejects.toThrow(/\.svcignore (is|has) .* It has to be a file of at most/)
  })

  it('need a directory', async () => {
    await write({ 'a.html': '' })
    await expect(paths(join(root, 'gone'))).rejects.toThrow(/^There is no directory .*gone\.$/)
    await expect(paths(join(root, 'a.html'))).rejects.toThrow(/a\.html is a file\. Pass the directory/)
  })

  it.each([
    ['a link to a directory elsewhere', 'a', (path: string) => symlinkSync('../private', path)],
    ['one below a link', 'a/b', (path: string) => symlinkSync('../private', dirname(path))],
  ])('are not those of %s that takes the place of a directory', async (_what, path, make) => {
    const outer = root
    await write({ 'site/a/b/key': 'public', 'private/key': 'secret', 'private/b/key': 'secret' })
    root = join(outer, 'site')
    const { signal: swapping } = new AbortController()
    let directories = 0
    vi.spyOn(swapping, 'throwIfAborted').mockImplementation(() => {
      directories += 1
      if (directories !== path.split('/').length + 1) return
      renameSync(join(root, 'a'), join(outer, 'away'))
      make(join(root, path))
    })
    await expect(walkSite(root, swapping)).rejects.toThrow(`${path} changed while it was read. Deploy again.`)
  })

  it('are no longer searched for once that is canceled', async () => {
    await expect(walkSite(root, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})
