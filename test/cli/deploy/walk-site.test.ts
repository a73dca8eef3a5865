import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { walkSite } from '../../../src/cli/deploy/walk-site.ts'

const { signal } = new AbortController()
let root: string

beforeEach(async () => {
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

  it('exclude repositories, dependencies and secrets', async () => {
    const left = {
      '.git/HEAD': '',
      '.env': 'KEY=1',
      '.env.local': '',
      'a/.env': '',
      '.svcignore': '',
      '.DS_Store': '',
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

  it('need a directory', async () => {
    await write({ 'a.html': '' })
    await expect(paths(join(root, 'gone'))).rejects.toThrow(/^There is no directory .*gone\.$/)
    await expect(paths(join(root, 'a.html'))).rejects.toThrow(/a\.html is a file\. Pass the directory/)
  })

  it('are no longer searched for once that is canceled', async () => {
    await expect(walkSite(root, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})
