/** The listing of a commit's tree, within bounds. */
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type ListingBounds, listEntries } from '../../../src/platform/git/list-entries.ts'
import { recordsOf } from '../../../src/platform/git/records.ts'
import { newWorkTree, type WorkTree } from '../../support/work-tree.ts'

let tree: WorkTree
let commit: string

beforeAll(async () => {
  tree = await newWorkTree()
  commit = await tree.commit({ 'a/b/c.txt': 'c', 'a/d.txt': 'd', 'é.txt': 'e' })
})

const usual = { entries: 100, bytes: 10_000, ms: 20_000, levels: 10 }

function list(bounds: Partial<ListingBounds> = {}) {
  const signal = new AbortController().signal
  return listEntries({ directory: join(tree.directory, '.git'), commit, signal }, { ...usual, ...bounds })
}

it('has the files with their sizes, and no directories', async () => {
  const found = await list()
  expect(found.map(({ path, size, mode }) => ({ path, size, mode }))).toEqual(
    ['a/b/c.txt', 'a/d.txt', 'é.txt'].map((path) => ({ path, size: 1, mode: '100644' })),
  )
})

it.each([
  ['entries, of which directories are some', { entries: 4 }, 'more than 4 entries, with its directories'],
  ['bytes', { bytes: 200 }, 'paths and directories of more than 200 bytes'],
  ['levels', { levels: 2 }, '"a/b/c.txt" must have at most 2 segments'],
  ['time', { ms: 1 }, 'The commit has a tree that takes more than 0.001 s to list.'],
])('is refused beyond its bound of %s', async (_what, bounds, why) => {
  await expect(list(bounds)).rejects.toMatchObject({
    reason: 'invalid_input',
    message: expect.stringContaining(why),
  })
})

it('ends with its signal', async () => {
  const signal = AbortSignal.abort(new Error('The node stops.'))
  const source = { directory: join(tree.directory, '.git'), commit, signal }
  await expect(listEntries(source)).rejects.toThrow(/stops|abort/)
})

it('a record is refused at its bound, wherever its end is', async () => {
  let given = 0
  async function* long() {
    for (; given < 1_000; given += 1) yield Buffer.alloc(1_000, 'n')
  }
  const tooLong = (beginning: Buffer) => new Error(`${beginning.length} bytes begin it`)
  const read = async () => {
    for await (const _ of recordsOf(long(), { maxBytes: 4_500, tooLong }));
  }
  await expect(read()).rejects.toThrow('4500 bytes begin it')
  expect(given).toBe(4)
})
