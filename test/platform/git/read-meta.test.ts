/** A commit's author and subject are those that git shows. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { openObjects } from '../../../src/platform/git/objects.ts'
import { readMeta } from '../../../src/platform/git/read-meta.ts'
import { GitFailed } from '../../../src/platform/git/run-git.ts'
import { newWorkTree, type WorkTree } from '../../support/work-tree.ts'

let tree: WorkTree
let files: string

beforeAll(async () => {
  tree = await newWorkTree()
  await tree.commit({ 'index.html': 'page' })
  files = (await tree.git('rev-parse', 'HEAD^{tree}')).output
})

/** A commit as somebody may write it, whatever git itself would make of it. */
function commitOf({ author = 'Ada <ada@example.com>', header = '', message = Buffer.from('') }): string {
  const when = '1700000000 +0000'
  const lines = [`tree ${files}`, `author ${author} ${when}`, `committer Ada <ada@example.com> ${when}`]
  const head = Buffer.from(`${lines.join('\n')}\n${header}\n`, 'latin1')
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally']
  const input = Buffer.concat([head, message])
  return execFileSync('git', args, { cwd: tree.directory, input }).toString().trim()
}

function read(commit: string) {
  const objects = openObjects(join(tree.directory, '.git'), new AbortController().signal)
  onTestFinished(objects.close)
  return readMeta(objects, commit)
}

const text = (message: string) => ({ message: Buffer.from(message) })
const latin1 = (message: string) => ({ message: Buffer.from(message, 'latin1') })

it.each([
  ['a line', text('The first page\n')],
  ['no end of its line', text('The first page')],
  ['several lines in a paragraph, and others', text('The first\nparagraph  \n \nThe second\n')],
  ['empty lines first', text('\n  \n\nThe first page\n')],
  ['no message', text('')],
  ['nothing but empty lines', text('\n\n\n')],
  ['an author without a name', { author: '<ada@example.com>', ...text('a') }],
  ['an author without an address', { author: 'Ada Lovelace', ...text('a') }],
  ['an author with spaces around', { author: '  Ada  <ada@example.com>', ...text('a') }],
  ['an author in Latin 1', { author: 'Adé <a@b.c>', header: 'encoding ISO-8859-1\n', ...latin1('Été\n') }],
  ['an unknown encoding', { header: 'encoding nonsense\n', ...text('Été\n') }],
  ['a signature', { header: 'gpgsig -----BEGIN\n author Eve <e@v.e>\n -----END\n', ...text('Signed\n') }],
  ['an author within the message', text('author Eve <e@v.e>\n\nencoding x\n')],
  ['a zero byte', text('Before\0after\n')],
])('with %s', async (_what, parts) => {
  const commit = commitOf(parts)
  const { output } = await tree.git('log', '-1', '--format=%an%x00%s', commit)
  const [author = '', message = ''] = output.split('\0').map((each) => each.trim())
  expect(await read(commit)).toEqual({ ...(author && { author }), ...(message && { message }) })
})

it('a commit of more than a megabyte is refused by its size, and nothing is read after it', async () => {
  const large = commitOf(text('a'.repeat(1024 * 1024)))
  await expect(read(large)).rejects.toMatchObject({
    reason: 'invalid_input',
    message: expect.stringMatching(
      /^The commit has 10487\d\d bytes with its message; it may have 1048576\.$/,
    ),
  })
})

it('what is no commit is none', async () => {
  await expect(read(files)).rejects.toThrow(GitFailed)
  await expect(read('f'.repeat(40))).rejects.toThrow(GitFailed)
})
