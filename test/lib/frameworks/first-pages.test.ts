/** Where a build made a site. */
import { mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, inject, it } from 'vitest'
import { findFirstPages, madeSince } from '../../../src/lib/frameworks/first-pages.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(inject('directory'), 'pages-'))
})

async function write(path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), '')
}

it('names directories whose first page is new or written again, the topmost first', async () => {
  for (const path of ['index.html', 'docs/index.html', 'old/index.html']) await write(path)
  const past = new Date(1_000)
  for (const path of ['docs/index.html', 'old/index.html']) await utimes(join(root, path), past, past)
  const before = await findFirstPages(root)
  await write('docs/index.html')
  await write('dist/app/browser/index.html')
  await write('dist/app/browser/deep/index.html')
  expect(madeSince(before, await findFirstPages(root))).toEqual(['docs', 'dist/app/browser'])
})

it('looks into no package, and only so deep', async () => {
  for (const path of ['node_modules/x/index.html', 'a/b/c/d/e/f/index.html', 'a/b/c/d/e/index.html'])
    await write(path)
  expect([...(await findFirstPages(root)).keys()]).toEqual(['a/b/c/d/e'])
})

it('finds nothing where nothing is', async () => {
  expect((await findFirstPages(join(root, 'missing'))).size).toBe(0)
})
